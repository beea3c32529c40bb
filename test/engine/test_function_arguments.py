"""Arguments that compiled code can pass to libmujoco's functions, and errors for others."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError, TypingError

from mujoco_ros_py.engine import compiled as _compiled  # noqa: F401  (makes numba know mujoco)


def compiled(head: str, *body: str):
    namespace = {'mujoco': mujoco, 'np': np}
    exec('\n    '.join([f'def call({head}):', *body]), namespace)
    return njit(namespace['call'])


def test_an_array_that_is_too_small_is_a_value_error(model, data):
    cases = {
        'mujoco.mj_contactForce(m, d, 0, np.zeros(5))': 'mj_contactForce: .*`.*result.*`',
        'mujoco.mju_cross(np.zeros(2), np.ones(3), np.ones(3))': 'mju_cross: .*`.*res.*`',
        'mujoco.mju_quat2Mat(np.zeros(9), np.ones(3))': 'mju_quat2Mat: .*`.*quat.*`',
        'mujoco.mj_jac(m, d, None, None, np.ones(2), 0)': 'mj_jac: .*`.*point.*`',
    }
    call = compiled('m, d, k', *(f'if k == {k}: {line}' for k, line in enumerate(cases)))
    for k, named in enumerate(cases.values()):
        with pytest.raises(ValueError, match=f'{named} is too small'):
            call(model, data, k)


@pytest.mark.parametrize(
    ('line', 'function', 'argument'),
    [
        ('mujoco.mj_step(m, m)', 'mj_step', 'd'),
        ('mujoco.mj_getTotalmass(5)', 'mj_getTotalmass', 'm'),
        ('mujoco.mju_norm3(np.ones(3, np.float32))', 'mju_norm3', 'vec'),
        ('mujoco.mju_norm3(np.ones(6)[::2])', 'mju_norm3', 'vec'),
        ('mujoco.mju_norm3(np.ones((3, 1, 1)))', 'mju_norm3', 'vec'),
        ('mujoco.mju_norm3(1.0)', 'mju_norm3', 'vec'),
        ('mujoco.mju_clip(1.0, np.ones(3), 2.0)', 'mju_clip', 'min'),
        ('mujoco.mj_name2id(m, 1, 5)', 'mj_name2id', 'name'),
    ],
)
def test_a_wrong_type_is_a_typing_error_that_names_function_and_argument(
    model, data, line, function, argument
):
    with pytest.raises(TypingError, match=rf'{function}: argument `.*\b{argument}\b.*` must be a'):
        compiled('m, d', line)(model, data)


@pytest.mark.parametrize('line', ['mujoco.mj_step(m, d, 5)', 'mujoco.mju_norm3()'])
def test_a_wrong_number_of_arguments_is_a_typing_error(model, data, line):
    name = line[7:].partition('(')[0]
    with pytest.raises(TypingError, match=name):
        compiled('m, d', line)(model, data)


def test_keyword_arguments_are_refused(model, data):
    with pytest.raises(TypingError, match='take no keyword arguments'):
        compiled('m, d', 'mujoco.mj_step(m=m, d=d)')(model, data)


def test_what_compiled_code_cannot_call_is_an_error_that_names_it(model):
    with pytest.raises(NumbaError, match='mj_id2name'):
        compiled('m', 'return mujoco.mj_id2name(m, 1, 1)')(model)


def test_numbers_of_any_type_are_converted():
    numbers = 2, np.int32(2), np.uint8(2), True, 2.0
    names = 'a', 'b', 'c', 'd', 'e'
    terms = [f'mujoco.mju_max({name}, 1), mujoco.mju_min({name}, 9.0)' for name in names]
    call = compiled(', '.join(names), f'return {", ".join(terms)}')
    assert call(*numbers) == tuple(float(each) for each in numbers for _ in range(2))


def test_enumerations_are_their_numbers(model, data):
    call = compiled(
        'm, d',
        'wanted = mujoco.mjtJoint.mjJNT_HINGE',
        'count = 0',
        'for joint in range(m.njnt):',
        '    if m.jnt_type[joint] == wanted:',
        '        count += 1',
        'return count, mujoco.mjtObj.mjOBJ_SITE, mujoco.mjtState.mjSTATE_QPOS',
    )
    hinges = int(np.sum(model.jnt_type == int(mujoco.mjtJoint.mjJNT_HINGE)))
    site, qpos = int(mujoco.mjtObj.mjOBJ_SITE), int(mujoco.mjtState.mjSTATE_QPOS)
    assert call(model, data) == (hinges, site, qpos)
    assert hinges > 0


def test_enumerations_and_functions_can_be_imported_by_name(model, data):
    from mujoco import mjtObj, mju_norm3

    @njit
    def find(m, d):
        return mujoco.mj_name2id(m, mjtObj.mjOBJ_SITE, 'end'), mju_norm3(d.xpos[2])

    assert find(model, data) == (model.site('end').id, mujoco.mju_norm3(data.xpos[2]))


def test_an_unknown_member_of_an_enumeration_is_a_typing_error_that_names_it():
    with pytest.raises(TypingError, match='mjOBJ_BODDY'):
        compiled('', 'return mujoco.mjtObj.mjOBJ_BODDY')()


def test_text_must_be_a_literal(model):
    with pytest.raises(TypingError, match=r'mj_name2id: argument .* must be a literal string'):
        compiled('m, name', 'return mujoco.mj_name2id(m, 1, name)')(model, 'lower')


def test_text_with_letters_beyond_ascii_is_passed_whole():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body name="größe"/></worldbody></mujoco>'
    )
    call = compiled('m', 'return mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "größe")')
    assert call(model) == 1
