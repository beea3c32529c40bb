"""A plugin is edited while the server runs it, and a reload over DDS brings the edit in."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from rosgraph_msgs.msg import Clock
from session.edited_package import EditedPackage
from std_msgs.msg import Float64

from .harness import PENDULUM, wait_until
from .plugin_site import as_text
from .test_soak import FLAT_MIB, Use, use_of

EDITS = int(os.environ.get('MUJOCO_ROS_PY_EDITS', '40'))
"""The edits of each soak."""
COMPILED_MIB = 0.15
"""What LLVM's optimizer, as llvmlite calls it, may keep of each compilation."""

TALKERS = """
from std_msgs.msg import Float64

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state

from .gains import GAIN
from .helpers import scaled


class Talker(MujocoPlugin):
    def load(self, model, data):
        self.publisher = self.ros.create_publisher(Float64, '~/control')
        self.environment.follow(100.0, self.tell)

    def tell(self, snapshot):
        self.publisher.publish(Float64(data=float(snapshot.data.ctrl[0])))

    def control_callback(self, model, data):
        from .gains import GAIN as late

        assert late == GAIN
        data.ctrl[0] = GAIN


class CompiledTalker(Talker):
    def load(self, model, data):
        super().load(model, data)
        self.state = new_state(offset=0.0)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = scaled(GAIN) + state.offset
"""
HELPERS = """
import numba


@numba.njit
def scaled(x):
    return x * 1.0
"""


@pytest.fixture
def robot(tmp_path) -> EditedPackage:
    (tmp_path / 'site').mkdir()
    package = EditedPackage(tmp_path / 'site')
    package.write('helpers', HELPERS)
    package.write('talkers', TALKERS)
    package.offer('talkers:Talker', 'talkers:CompiledTalker')
    return package


@pytest.fixture
def begin(start, robot) -> Callable:
    """Returns `begin(kind)`: the process, a client and what the plugin publishes."""

    def begin(kind: str, **parameters):
        plugins = as_text({'type': robot.type(kind), 'name': 'talker'})
        given = {'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins, 'reload_modules': True}
        paths = [str(robot.folder), os.environ.get('PYTHONPATH', '')]
        environment = {'PYTHONPATH': os.pathsep.join(paths)}
        process, client = start({**given, **parameters}, **environment)
        return process, client, client.collect(Float64, '/talker/control')

    return begin


def wait_for(values: list[Float64], expected: float) -> None:
    """Waits until the newest messages, several in a row, have this value."""

    def arrived() -> bool:
        newest = [each.data for each in values[-5:]]
        return newest == [expected] * 5

    wait_until(arrived, f'{expected}, after {values[-1:]}')


@pytest.mark.slow
def test_an_edit_takes_effect_and_a_broken_one_changes_nothing_and_says_where(begin, robot):
    process, client, values = begin('CompiledTalker')
    wait_for(values, 1.0)
    robot.write('gains', 'GAIN = 2.0\n')
    answer = client.trigger('reload')
    assert answer.success, answer.message
    assert answer.message == 'reloaded; 1 of 1 plugins ready'
    wait_for(values, 2.0)

    clock = client.collect(Clock, '/clock', reliable=False)
    path = robot.write('gains', 'GAIN = 3.0\nGAIN +\n')
    del values[:]
    answer = client.trigger('reload')
    assert not answer.success
    assert re.fullmatch(
        rf"plugin type '{robot.type('CompiledTalker')}' .*: cannot import {robot.name}\.talkers:"
        rf' SyntaxError: invalid syntax \({re.escape(str(path))}:2\)',
        answer.message,
    )
    process.wait_for_output(answer.message)
    wait_until(lambda: len(values) > 20 and len(clock) > 20, 'values and time after the refusal')
    assert {each.data for each in values} == {2.0}
    times = [(each.clock.sec, each.clock.nanosec) for each in clock]
    assert all(before <= after for before, after in pairwise(times))
    _, _, told = client.diagnostics()['simulation']
    assert (told['loads'], told['plugins ready']) == ('2', '1')

    robot.write('gains', 'GAIN = 4.0\n')
    robot.replace('helpers', 'x * 1.0', 'x * 7.0')
    assert client.trigger('reload').success
    wait_for(values, 28.0)


@pytest.mark.slow
def test_the_parameter_may_be_set_after_the_edit(begin, robot):
    _, client, values = begin('Talker', reload_modules=False)
    wait_for(values, 1.0)
    robot.write('gains', 'GAIN = 2.0\n')
    assert client.trigger('reload').success
    wait_for(values, 1.0)
    assert client.set_parameters(reload_modules=True)[0].successful
    assert client.trigger('reload').success
    wait_for(values, 2.0)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ('kind', 'allowed_mib'), [('Talker', 0.0), ('CompiledTalker', COMPILED_MIB)]
)
def test_edits_and_reloads_leave_nothing_behind(begin, robot, kind, allowed_mib, record_property):
    process, client, values = begin(kind, realtime=-1.0)

    def edit(first: int, last: int) -> None:
        for number in range(first, last):
            table = f'TABLE = bytearray(1_000_000)\nGAIN = {number}.0\n'
            robot.write('gains', table + ('GAIN +\n' if number % 5 == 0 else ''))
            answer = client.trigger('reload')
            assert answer.success == (number % 5 != 0), answer.message

    edit(0, 20)
    before = use_of(process.pid)
    edit(20, 20 + EDITS)
    wait_for(values, 19.0 + EDITS)

    def at_rest() -> Use | None:
        now = use_of(process.pid)
        more = now.threads > before.threads or now.files > before.files
        return None if more else now

    after = wait_until(at_rest, f'no more threads and files than in {before}')
    figure = (
        f'{kind}, {EDITS} edits: {before.memory_mib:.1f} to {after.memory_mib:.1f} MiB,'
        f' {before.threads} to {after.threads} threads, {before.files} to {after.files} files'
    )
    print(figure)
    record_property('figure', figure)
    assert after.memory_mib < before.memory_mib + FLAT_MIB + EDITS * allowed_mib
