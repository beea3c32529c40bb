"""When sensors are computed: only the quantities of the requested stage are current."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register


@pytest.mark.parametrize(
    ('needed', 'seen'),
    [('NONE', [2, 1, 1]), ('POS', [2, 1, 1]), ('VEL', [2, 2, 1]), ('ACC', [2, 2, 2])],
)
def test_a_sensor_is_computed_as_soon_as_its_stage_is_there(needed, seen):
    class Staged(EnginePlugin):
        name = f'test.stage_{needed.lower()}'
        capabilities = Capability.SENSOR
        stage = mujoco.mjtStage.__members__[f'mjSTAGE_{needed}']

        @classmethod
        def sensor_size(cls, config, instance, sensor):
            return 3

        @staticmethod
        def compute_sensor(p, model, data):
            data.sensordata[0] = data.xipos[1, 0]
            data.sensordata[1] = data.cvel[1, 3]
            data.sensordata[2] = data.qacc[0]

    register(Staged)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension><plugin plugin="{Staged.name}"/></extension>
          <worldbody>
            <body><joint type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
          </worldbody>
          <sensor><plugin plugin="{Staged.name}"/></sensor>
        </mujoco>
    """)
    data = mujoco.MjData(model)
    for number in (1, 2):
        data.qpos[0], data.qvel[0], data.qfrc_applied[0] = number, number, number
        mujoco.mj_forward(model, data)
    assert data.sensordata == pytest.approx(seen)
