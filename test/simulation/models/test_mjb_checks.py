"""Compiled models with indices outside of the model are refused, or do no harm."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.processes import MIB, Limits
from mujoco_ros_py.simulation import ModelCompiler, ModelSource
from mujoco_ros_py.simulation.models.mjb_checks import check_indices

HUMANOID = Path(__file__).parents[3] / 'benchmarks/humanoid.xml'

RICH = """
<mujoco>
  <asset>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>
    <texture name="t" type="2d" builtin="flat" width="8" height="8"/>
    <material name="p" texture="t"/>
  </asset>
  <worldbody>
    <geom name="ground" type="hfield" hfield="h" material="p"/>
    <body name="a" pos="0 0 1">
      <freejoint/><geom type="mesh" mesh="m" mass="1"/><site name="s"/>
      <body><joint name="j"/><geom name="g" size="0.1"/><site name="e" pos="0.2 0 0"/></body>
    </body>
    <body pos="1 0 0"><joint type="slide"/><geom size="0.1"/></body>
    <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2" mass="1"/>
  </worldbody>
  <tendon><spatial name="n"><site site="s"/><geom geom="g"/><site site="e"/></spatial></tendon>
  <actuator><motor tendon="n"/></actuator>
  <sensor><touch site="s"/><rangefinder site="e"/></sensor>
</mujoco>"""


@pytest.fixture(scope='module')
def compiler():
    made = ModelCompiler(Limits(memory=1024 * MIB))
    yield made
    made.close()


@pytest.mark.parametrize('xml', [RICH, HUMANOID.read_text(), '<mujoco/>'])
def test_a_model_that_was_compiled_has_nothing_wrong(xml):
    assert list(check_indices(mujoco.MjModel.from_xml_string(xml))) == []


FIELDS = (
    'geom_type', 'bvh_child', 'bvh_nodeid', 'body_treeid', 'dof_treeid', 'flex_dim',
    'flex_stiffnessadr', 'flex_vertbodyid', 'jnt_actuatorid', 'tendon_actuatorid',
    'actuator_history', 'sensor_history', 'actuator_trntype', 'mat_texid', 'mesh_graph',
    'tex_width', 'hfield_nrow', 'wrap_type', 'site_type',
)  # fmt: skip


@pytest.mark.parametrize('value', [2**30 - 1, -1000])
@pytest.mark.parametrize('field', FIELDS)
def test_a_damaged_number_is_told_before_anything_follows_it(compiler, tmp_path, field, value):
    model = mujoco.MjModel.from_xml_string(RICH)
    array = getattr(model, field, None)
    if array is None or not array.size:
        pytest.skip(f'MuJoCo {mujoco.__version__} has no {field}')
    array.reshape(-1)[0] = value
    path = tmp_path / 'damaged.mjb'
    mujoco.mj_saveModel(model, str(path))
    with pytest.raises(ModelError) as caught:
        compiler.compile(ModelSource(path=str(path)))
    assert 'died' not in str(caught.value)


def test_a_whole_compiled_model_comes_over_as_it_is(compiler, tmp_path):
    model = mujoco.MjModel.from_xml_string(RICH)
    path = tmp_path / 'whole.mjb'
    mujoco.mj_saveModel(model, str(path))
    loaded = compiler.compile(ModelSource(path=str(path)))
    assert np.array_equal(loaded.geom_type, model.geom_type)
