"""The options that a model may have are those that `set_options` accepts."""

from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.simulation import Edit, Option
from mujoco_ros_py.simulation.edits import set_options
from mujoco_ros_py.simulation.models.model_checks import check_options
from mujoco_ros_py.simulation.models.option_limits import COUNTS


@pytest.mark.parametrize(
    ('option', 'message'),
    [
        ('iterations="1000000000"', 'option iterations must be 0 to 1000000, got 1000000000'),
        ('ls_iterations="1000001"', 'option ls_iterations must be 0 to 1000000, got 1000001'),
        ('ccd_iterations="10001"', 'option ccd_iterations must be 0 to 10000, got 10001'),
        ('sdf_iterations="0"', 'option sdf_iterations must be 1 to 1000, got 0'),
        ('tolerance="-1"', 'option tolerance must be finite and >= 0, got -1'),
        ('impratio="0"', 'option impratio must be finite and > 0, got 0'),
        ('o_solref="inf 1"', 'option o_solref must be finite, got inf 1'),
    ],
)
def test_a_model_with_an_option_out_of_its_range_is_refused(option, message):
    model = mujoco.MjModel.from_xml_string(f'<mujoco><option {option}/></mujoco>')
    with pytest.raises(ModelError) as raised:
        check_options(model)
    assert str(raised.value) == message


@pytest.mark.parametrize('name', COUNTS)
def test_a_model_may_have_what_can_be_set_and_no_more(name):
    model = mujoco.MjModel.from_xml_string('<mujoco/>')
    for count in COUNTS[name]:
        setattr(model.opt, name, count)
        check_options(model)
    setattr(model.opt, name, COUNTS[name][1] + 1)
    with pytest.raises(ModelError):
        check_options(model)
    edit = Edit()
    set_options(model, [Option(name, str(COUNTS[name][1] + 1))], edit)
    assert edit.refused[0].startswith(f'option {name} must be ')


def test_the_default_options_are_taken():
    check_options(mujoco.MjModel.from_xml_string('<mujoco/>'))


def test_options_with_which_a_step_takes_minutes_are_set_at_once():
    boxes = ''.join(
        f'<body pos="{index} 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>'
        for index in range(16)
    )
    plane = '<geom type="plane" size="20 20 1"/>'
    xml = f'<mujoco><worldbody>{plane}{boxes}</worldbody></mujoco>'
    model, edit = mujoco.MjModel.from_xml_string(xml), Edit()
    given = {'solver': 'PGS', 'iterations': '1000000', 'tolerance': '0'}
    set_options(model, [Option(*each) for each in given.items()], edit)
    assert edit.refused == []
    assert model.opt.iterations == 1_000_000
