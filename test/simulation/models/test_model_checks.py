"""Models that compile but cannot be simulated are refused, and the old model keeps running."""

from __future__ import annotations

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import ModelError

MODEL = """
<mujoco>
  <option {option}/>
  <worldbody><body><joint name="hinge" {joint}/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
</mujoco>
"""


def compiled(option: str = '', joint: str = '') -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL.format(option=option, joint=joint))


@pytest.mark.parametrize('timestep', ['nan', 'inf', '0', '-1', '1e-10', '1e300'])
def test_a_timestep_in_which_no_time_passes_is_refused(simulate, pendulum, timestep):
    simulation = simulate(pendulum)
    with pytest.raises(
        ModelError, match='option timestep must be at least 1e-09 and at most 1000 s, got'
    ):
        simulation.load(compiled(f'timestep="{timestep}"'))
    assert simulation.status().loads == 1


@pytest.mark.parametrize(
    ('option', 'said'),
    [
        ('gravity="0 nan 0"', 'option gravity must be finite, got 0 nan 0'),
        ('gravity="0 0 -inf"', 'option gravity must be finite, got 0 0 -inf'),
        ('wind="nan 0 0"', 'option wind must be finite, got nan 0 0'),
        ('magnetic="nan 0 0"', 'option magnetic must be finite'),
        ('density="nan"', 'option density must be finite and >= 0, got nan'),
        ('viscosity="inf"', 'option viscosity must be finite and >= 0, got inf'),
        ('impratio="nan"', 'option impratio must be finite'),
        ('tolerance="nan"', 'option tolerance must be finite'),
        ('ls_tolerance="nan"', 'option ls_tolerance must be finite'),
        ('o_margin="nan"', 'option o_margin must be finite'),
        ('o_solref="nan 1"', 'option o_solref must be finite, got nan 1'),
    ],
)
def test_options_that_are_no_numbers_are_refused(simulate, pendulum, option, said):
    simulation = simulate(pendulum)
    with pytest.raises(ModelError, match=said):
        simulation.load(compiled(option))


@pytest.mark.parametrize(
    ('joint', 'said'),
    [
        ('ref="nan"', 'joint hinge has an initial position that is not finite'),
        ('damping="nan"', 'joint hinge has an initial acceleration that is not finite'),
        ('stiffness="nan"', 'joint hinge has an initial acceleration that is not finite'),
        ('armature="nan"', 'joint hinge has an initial acceleration that is not finite'),
    ],
)
def test_a_model_that_starts_with_no_numbers_is_refused(simulate, pendulum, joint, said):
    simulation = simulate(pendulum)
    with pytest.raises(ModelError, match=said):
        simulation.load(compiled(joint=f'{joint} springref="1"'))


@pytest.mark.parametrize('timestep', ['1e-9', '1000'])
def test_the_smallest_and_the_largest_timestep_are_taken(simulate, pendulum, timestep):
    simulation = simulate(pendulum, paused=True)
    simulation.load(compiled(f'timestep="{timestep}"')).result(DEADLINE_S)
    simulation.step().result(DEADLINE_S)
    assert simulation.time == float(timestep)
