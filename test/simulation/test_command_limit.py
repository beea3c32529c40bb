from __future__ import annotations

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

XML = """
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody><body name="cart">
    <joint name="x" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/>
  </body></worldbody>
  <actuator><motor name="drive" joint="x"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize(('limit', 'used'), [(10.0, 10.0), (0.0, 1e6)])
def test_larger_controls_and_forces_are_limited_to_the_limit(simulate, limit, used):
    simulation = simulate(
        mujoco.MjModel.from_xml_string(XML), paused=True, command_limit=limit
    )  # fmt: skip

    def command(model, data):
        data.ctrl[0], data.qfrc_applied[0], data.xfrc_applied[1, 0] = 1e6, -1e6, 1e6

    simulation.submit(command).result(DEADLINE_S)
    simulation.step(1).result(DEADLINE_S)
    applied, acceleration = simulation.submit(
        lambda model, data: (
            [data.ctrl[0], data.qfrc_applied[0], data.xfrc_applied[1, 0]], float(data.qacc[0])
        )
    ).result(DEADLINE_S)  # fmt: skip
    assert applied == [used, -used, used]
    assert acceleration == pytest.approx(used / 2)


def test_smaller_ones_and_no_numbers_stay(simulate):
    simulation = simulate(mujoco.MjModel.from_xml_string(XML), paused=True, command_limit=10.0)

    def command(model, data):
        data.ctrl[0], data.qfrc_applied[0] = -9.5, np.nan
        mujoco.mj_forward(model, data)
        return float(data.ctrl[0]), float(data.qfrc_applied[0])

    control, force = simulation.submit(command).result(DEADLINE_S)
    assert control == -9.5
    assert np.isnan(force)
