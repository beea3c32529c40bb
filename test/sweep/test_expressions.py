import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.sweep.checked_expressions import Expression
from mujoco_ros_py.sweep.run_measures import RunExpression

from .sweep_states import states


@pytest.fixture(scope='module')
def fall():
    return states()


def value(text, moments, **values):
    expression = RunExpression(text, 'success', values)
    for each in moments:
        expression.see(each)
    return expression.value


def test_expressions_read_the_last_state_by_name(fall):
    last = fall[-1]
    assert value("joint('hinge').position", fall) == last.joint('hinge').position
    assert value("site('tip').position @ z", fall) == last.site('tip').position[2]
    assert value("sensor('angle') == joint('hinge').position", fall) is True
    assert value("norm(site('tip').position - [0, 0, 2])", fall) == pytest.approx(0.5)
    assert value('time', fall) == pytest.approx(0.8)
    assert value('1 if abs(qpos[0]) < 10 else 2 ** 3', fall) == 1


def test_values_of_the_run_are_names_and_those_with_dots_are_asked_for(fall):
    assert value("gain + value('floor.friction')", fall, gain=2, **{'floor.friction': 0.5}) == 2.5
    with pytest.raises(ConfigError, match="unknown value of the run 'b'; known: gain"):
        value("value('b')", fall, gain=1)


def test_functions_of_the_run_see_every_moment(fall):
    angles = [each.joint('hinge').position for each in fall]
    assert value("lowest(joint('hinge').position)", fall) == min(angles)
    assert value("highest(abs(joint('hinge').velocity)) > 4", fall) is True
    assert value("ever(joint('hinge').position < 0) and not always(qpos[0] < 0)", fall) is True
    first = next(each.time for each in fall if each.joint('hinge').position < 0)
    assert value("first_time(joint('hinge').position < 0)", fall) == first
    assert value("first_time(joint('hinge').position > 9)", fall) == np.inf
    assert value("last_time(joint('hinge').position > 0.9) < 0.2", fall) is True


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ("joint('hing').position", "unknown joint 'hing' (did you mean 'hinge'?); known: hinge"),
        ("joint('hinge').place", "unknown attribute 'place'"),
        ("joint('hinge').orientation", "joint('hinge') has no orientation; it has: position"),
        ("joint('hinge').__class__", "unknown attribute '__class__'"),
        ('qpos.__class__.__mro__', "unknown attribute '__mro__'"),
        ("__import__('os')", "unknown function '__import__'"),
        ("open('x')", "unknown function 'open'"),
        ('().__class__()', 'unknown function'),
        ('1' + '+1' * 1900, 'is nested too deeply'),
        ('not ' * 900 + 'time', 'is nested too deeply'),
        ('[each for each in qpos]', '(ListComp) is not allowed in an expression'),
        ('(lambda: 1)()', 'unknown function'),
        ("f'{qpos}'", '(JoinedStr) is not allowed'),
        ('qpos[9]', 'IndexError'),
        ('2.0 ** 1000000', 'an exponent must be at most 64'),
        ("'a' * 1000000000", 'must combine numbers'),
        ('tim > 1', "did you mean 'time'"),
        ('joint', "unknown name 'joint'"),
        ('time >', 'success is not an expression'),
        ('ever(ever(time > 1))', 'ever must not contain such a function'),
        ('ever()', 'ever takes one expression'),
        ('norm(qpos, ord=1)', 'norm takes no keyword arguments'),
        ('(' * 3000 + '1' + ')' * 3000, 'success'),
    ],
)
def test_what_may_not_stand_in_an_expression_is_told(text, message, fall):
    with pytest.raises(ConfigError) as error:
        value(text, fall)
    assert message in str(error.value)
    assert str(error.value).startswith('success')


def test_an_expression_is_evaluated_with_other_values_again():
    expression = Expression('a + 1', 'there')
    assert [expression.value({'a': number}) for number in (1, 2)] == [2, 3]
