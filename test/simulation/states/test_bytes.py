"""States as bytes: valid bytes restore the state exactly, and all others are refused."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import ConfigError, SimulationError
from mujoco_ros_py.simulation import SavedState, check_alike, check_places, read_state, write_state
from mujoco_ros_py.simulation.states.bytes import _TITLE, _digest
from mujoco_ros_py.simulation.states.plain_values import write_value

ARM = """
<mujoco>
  <worldbody>
    <body name="target" mocap="true"/>
    <body name="arm"><joint name="lift" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator>
    <general name="filtered" joint="lift" dyntype="filter"/>
    <motor name="late" joint="lift" delay="0.01" nsample="6"/>
  </actuator>
  <sensor><jointpos name="seen" joint="lift" delay="0.01" nsample="5"/></sensor>
  <equality><weld name="hold" body1="arm" body2="target" active="false"/></equality>
</mujoco>
"""
MODEL = mujoco.MjModel.from_xml_string(ARM)
STATE = mujoco.mjtState


def place(part: mujoco.mjtState, index: int = 0) -> int:
    """The index, in the state of the arm, of a number of this part."""
    return index + sum(
        mujoco.mj_stateSize(MODEL, 1 << bit) for bit in range(int(part).bit_length() - 1)
    )


@pytest.fixture
def simulation(simulate):
    """A paused simulation of the arm after some steps."""
    made = simulate(MODEL, paused=True)
    made.submit(lambda model, data: data.ctrl.fill(0.5)).result(DEADLINE_S)
    made.step(20).result(DEADLINE_S)
    return made


@pytest.fixture
def saved(simulation) -> SavedState:
    return simulation.save().result(DEADLINE_S)


def numbers(simulation) -> list[float]:
    return simulation.save().result(DEADLINE_S).integration.tolist()


def test_a_state_goes_through_bytes_and_goes_on_to_the_bit(simulation, saved):
    simulation.step(30).result(DEADLINE_S)
    expected = numbers(simulation)
    read = read_state(write_state(saved))
    assert read.time == saved.time == pytest.approx(0.04)
    assert simulation.restore(read, checked=True).result(DEADLINE_S) == []
    simulation.step(30).result(DEADLINE_S)
    assert numbers(simulation) == expected


@pytest.mark.parametrize(
    ('at', 'value', 'told'),
    [
        (place(STATE.mjSTATE_TIME), 1e12, 'time .* must be between .*, got 1e\\+12 s'),
        (place(STATE.mjSTATE_QPOS), math.nan, 'qpos .* must be finite, got nan at 0'),
        (place(STATE.mjSTATE_CTRL, 1), math.inf, 'ctrl .* must be finite, got inf at 1'),
        (place(STATE.mjSTATE_HISTORY, 1), 1e9, r'an index from 0 to 5, got 1e\+09'),
        (place(STATE.mjSTATE_HISTORY, 1), -1.0, 'an index from 0 to 5, got -1'),
        (place(STATE.mjSTATE_HISTORY, 1), 0.5, 'an index from 0 to 5, got 0.5'),
        (place(STATE.mjSTATE_HISTORY, 4), 1e9, 'history of the saved state must ascend'),
        (place(STATE.mjSTATE_EQ_ACTIVE), 300.0, 'eq_active .* must be 0 or 1'),
    ],
)
def test_numbers_with_which_mujoco_cannot_go_on_are_refused(simulation, saved, at, value, told):
    before, epoch = numbers(simulation), simulation.epoch
    integration = saved.integration.copy()
    integration[at] = value
    wrong = replace(saved, integration=integration)
    with pytest.raises(SimulationError, match=told):
        simulation.restore(wrong, checked=True).result(DEADLINE_S)
    assert (numbers(simulation), simulation.epoch) == (before, epoch)


def test_a_state_with_too_few_numbers_is_refused(simulation, saved):
    wrong = replace(saved, integration=saved.integration[:-1])
    with pytest.raises(SimulationError, match=r'must have \d+ numbers, got \d+'):
        simulation.restore(wrong).result(DEADLINE_S)


def test_bytes_that_are_no_state_are_refused(saved):
    written = write_state(saved)
    with pytest.raises(SimulationError, match=r'must begin with .* got nothing'):
        read_state(b'')
    with pytest.raises(SimulationError, match=r"must begin with .* got b'\\x80"):
        read_state(b'\x80\x04' + written)
    for damaged in (written[:-1], written + b'\0', written[:90] + b'!' + written[91:]):
        with pytest.raises(SimulationError, match='damaged: its checksum does not match'):
            read_state(damaged)


@pytest.mark.parametrize(
    ('value', 'told'),
    [
        ([], 'the state must have integration, model, plugins'),
        ({'integration': 1.0}, 'integration must be an array of float64'),
        ({'integration': np.zeros(3, int)}, 'integration must be an array of float64'),
        ({'integration': np.zeros((1, 1))}, 'must have one dimension'),
        ({'integration': np.zeros(0)}, 'must have one dimension'),
        ({'integration': np.full(1, math.nan)}, 'begin with a finite time'),
        ({'plugins': {'arm': 1}}, 'plugins must map names to bytes'),
        ({'plugins': {3: b'N'}}, 'the names in plugins must be strings'),
        ({'plugins': {'arm': b'?'}}, 'unknown type'),
        ({'model': {'nq': 'one'}}, 'model must map names to sizes or names'),
        ({'model': {'body': (1,)}}, 'model must map names to sizes or names'),
    ],
)
def test_a_body_that_is_no_state_is_refused_although_its_checksum_is_right(value, told):
    whole = {'integration': np.zeros(1), 'model': {}, 'plugins': {}}
    body = write_value({**whole, **value} if isinstance(value, dict) else value)
    with pytest.raises(SimulationError, match=f'the state cannot be read: .*{told}'):
        read_state(_TITLE + _digest(body) + body)


def test_the_plugin_that_saves_more_than_plain_values_is_named(saved):
    with pytest.raises(SimulationError, match=r"'arm' saves more .*\['seen'\] must"):
        write_state(replace(saved, plugins={'arm': {'seen': {1, 2}}}))


RECORD = np.zeros((), [('gain', 'f8'), ('rows', 'i4', 3)])[()]


@pytest.mark.parametrize(
    ('saved', 'now', 'told'),
    [
        (1, 1.0, 'the value must be of the type float, got of the type int'),
        (None, (1,), 'the value must be of the type tuple, got None'),
        ((1,), (1, 2), 'the value must have 2 elements, got 1'),
        (('a', None), ('b', 2), r'\[1\] must be of the type int, got None'),
        ({'a': 1}, {'b': 1}, 'the value must have b, got a'),
        ({'a': [1]}, {'a': [True]}, r"\['a'\]\[0\] must be of the type bool"),
        (1.0, np.zeros(2), 'the value must be of the type ndarray, got of the type float'),
        (np.zeros(3), np.zeros(2), r'the value must have the shape \(2,\), got \(3,\)'),
        (np.zeros(2, 'f4'), np.zeros(2), 'numbers of float64, got float32'),
        (RECORD[['gain']], RECORD, 'a record with a field rows, which is missing'),
        (
            RECORD.astype([('gain', 'f8'), ('rows', 'i4', 2)]), RECORD,
            r"a field rows of \"\('<i4', \(3,\)\)\", got",
        ),
        (RECORD[['rows', 'gain']], RECORD, 'the fields gain, rows in this order'),
    ],
)  # fmt: skip
def test_a_part_with_another_structure_is_refused_with_the_place(saved, now, told):
    with pytest.raises(ConfigError, match=told):
        check_alike(saved, now)
    check_alike(now, now)


def test_fields_that_tell_places_must_be_as_they_are():
    row = np.dtype([('qpos', 'i4'), ('gain', 'f8')])
    now = np.zeros((), [('body', 'i8'), ('rows', row, 2)])[()]
    saved = now.copy()
    saved['rows']['gain'] = 5.0
    check_places(saved, now, ['body', 'rows.qpos'])
    saved['rows']['qpos'][1] = 10**6
    with pytest.raises(ConfigError, match=r'rows.qpos must be \[0, 0\], got \[0, 1000000\]'):
        check_places(saved, now, ['body', 'rows.qpos'])
