"""The plugins of a recording are the plugins of the run, in their order and groups."""

import pytest

from mujoco_ros_py.config import read_plugins, register
from mujoco_ros_py.errors import RecordingError
from mujoco_ros_py.recording import RowShape, Section
from mujoco_ros_py.recording.playback import plugin_text


def section(*plugins):
    """A section with these plugins: name, namespace, type and configuration."""
    return Section(
        number=0,
        reason='load',
        time=0.0,
        model='model.mjb',
        shape=RowShape(own=1, inputs=1, passive=0),
        rate_hz=0.0,
        plugins=tuple(
            {
                'name': f'{space}/{name}' if space else name,
                'namespace': space,
                'prefix': f'{space}/' if space else '',
                'type': kind,
                'class': 'plugins:Kind',
                'config': config,
            }
            for name, space, kind, config in plugins
        ),
    )


def test_plugins_come_back_with_order_groups_and_values():
    infinite = {'limits': [float('-inf'), 1e-06, None], 'text': 'yes: 1e5', 'nested': {'a': True}}
    recorded = section(
        ('first', '', 'my_pkg/First', infinite),
        ('arm', 'left', 'my_pkg/Arm', {'gain': 1.0}),
        ('hand', 'left', 'my_pkg/Hand', {}),
        ('recorder', '', 'mujoco_ros_py/Recorder', {'file': 'run.mcap'}),
        ('last', '', 'my_pkg/Last', {'name': 'Grüße'}),
        ('joint_states', 'left', 'my_pkg/JointStates', {}),
    )
    configs, refusals = register(read_plugins(plugin_text(recorded), lambda path: path))
    assert refusals == []
    assert [(each.name, each.type, each.group.prefix) for each in configs] == [
        ('first', 'my_pkg/First', ''),
        ('left/arm', 'my_pkg/Arm', 'left/'),
        ('left/hand', 'my_pkg/Hand', 'left/'),
        ('last', 'my_pkg/Last', ''),
        ('left/joint_states', 'my_pkg/JointStates', 'left/'),
    ]
    assert configs[0].config == infinite


def test_a_plugin_without_a_type_is_told():
    with pytest.raises(
        RecordingError, match="'mine' cannot be found again: its class plugins:Kind"
    ):
        plugin_text(section(('mine', '', '', {})))
