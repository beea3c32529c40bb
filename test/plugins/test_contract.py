"""The contract of plugins: a class with methods that do nothing, and compiled callbacks."""

from __future__ import annotations

import inspect
import subprocess
import sys

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import PHYSICS, Point
from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.plugins import Hardware, MujocoPlugin, compiled, new_state
from mujoco_ros_py.plugins.host import CompiledCallback
from mujoco_ros_py.plugins.host.callback_methods import (
    callback_functions,
    check_callbacks,
    misspelt,
)
from mujoco_ros_py.plugins.mixins import MIXINS

CONTROL, PASSIVE, LAST_STAGE = PHYSICS


class Base(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        """Adds one."""
        state.count += 1


class Child(Base):
    def passive_callback(self, model, data):
        pass


class Grandchild(Child):
    def control_callback(self, model, data):
        pass


class Defaults(MujocoPlugin):
    def load(self, model, data, *, extra=1):
        pass

    def control_callback(self, *args):
        pass

    def last_stage_callback(self, m, d, scale=1.0):
        pass


def plugin(plugin_class: type[MujocoPlugin]) -> MujocoPlugin:
    return plugin_class({}, None, None)


def test_the_hooks_of_the_base_do_nothing_and_are_no_callbacks():
    model = mujoco.MjModel.from_xml_string('<mujoco/>')
    data, bare = mujoco.MjData(model), plugin(MujocoPlugin)
    hooks = ['load', 'reset', *(point.method for point in PHYSICS)]
    assert [getattr(bare, hook)(model, data) for hook in hooks] == [None] * len(hooks)
    assert bare.unload() is None
    assert callback_functions(bare) == {}
    assert data.time == 0


def test_every_point_has_a_hook_with_a_docstring():
    for point in Point:
        owner = Hardware if point in (Point.READ, Point.WRITE) else MujocoPlugin
        hook = getattr(owner, point.method)
        scene = ['scene'] if point is Point.RENDER else []
        assert list(inspect.signature(hook).parameters) == ['self', 'model', 'data', *scene]
        assert inspect.getdoc(hook)


def test_what_a_class_overrides_is_a_callback_and_the_last_override_counts():
    assert set(callback_functions(plugin(Base))) == {CONTROL}
    inherited = callback_functions(plugin(Child))
    assert set(inherited) == {CONTROL, PASSIVE}
    assert isinstance(inherited[CONTROL], CompiledCallback)
    overridden = callback_functions(plugin(Grandchild))
    assert not isinstance(overridden[CONTROL], CompiledCallback)
    assert overridden[CONTROL].__self__.__class__ is Grandchild


def test_a_compiled_callback_runs_as_python_when_python_calls_it():
    state = new_state(count=1)
    plugin(Base).control_callback(state, None, None)
    Base.control_callback(state, None, None)
    assert state.count == 3


def test_a_compiled_callback_keeps_its_docstring():
    assert Base.control_callback.__doc__ == 'Adds one.'


def test_two_plugins_of_one_class_have_states_of_their_own():
    first, second = plugin(Base), plugin(Base)
    first.state = new_state(count=0)
    assert second.state is None
    assert MujocoPlugin.state is None


@pytest.mark.parametrize('plugin_class', [MujocoPlugin, Base, Child, Grandchild, Defaults])
def test_a_class_whose_methods_can_be_called_is_accepted(plugin_class):
    check_callbacks(plugin_class)


def three(self, model, data):
    pass


async def awaited(self, model, data):
    pass


def yielding(self, model, data):
    yield


@pytest.mark.parametrize(
    ('method', 'function', 'message'),
    [
        (
            'control_callback',
            lambda self: None,
            r'must take \(self, model, data\), takes \(self\)',
        ),
        ('load', lambda self, model: None, r'must take \(self, model, data\)'),
        ('reset', lambda self, model, data, more: None, r'must take \(self, model, data\)'),
        ('unload', lambda self, model: None, r'must take \(self\)'),
        ('adapt', lambda self, model: None, r'must take \(self, model, data\)'),
        ('save', lambda self, model: None, r'must take \(self\)'),
        ('restore', lambda self: None, r'must take \(self, saved\)'),
        ('passive_callback', classmethod(three), 'must be a method'),
        ('last_stage_callback', staticmethod(three), 'a method, or @staticmethod and @compiled'),
        ('control_callback', 5, 'must be a method'),
        ('control_callback', compiled(lambda model, data: None), r'take \(state, model, data\)'),
        ('reset', awaited, 'not a coroutine or a generator'),
        ('control_callback', yielding, 'not a coroutine or a generator'),
        ('control_callback', compiled(yielding), 'not a coroutine or a generator'),
    ],
)
def test_a_method_that_cannot_be_called_is_refused_by_name(method, function, message):
    plugin_class = type('Wrong', (MujocoPlugin, *MIXINS), {method: function})
    with pytest.raises(PluginError, match=rf'Wrong\.{method} .*{message}'):
        check_callbacks(plugin_class)


def test_every_method_of_the_contract_is_checked():
    bases = (MujocoPlugin, *MIXINS)
    own = {name for base in bases for name, each in vars(base).items() if inspect.isfunction(each)}
    for name in own - {'__init__'}:
        with pytest.raises(PluginError, match=rf'Wrong\.{name} must take'):
            check_callbacks(type('Wrong', bases, {name: lambda self, a, b, c, d: None}))


@pytest.mark.parametrize('method', ['load', 'reset', 'unload', 'adapt', 'save', 'configure'])
def test_only_callbacks_can_be_compiled(method):
    for function in compiled(three), staticmethod(compiled(three)):
        plugin_class = type('Wrong', (MujocoPlugin, *MIXINS), {method: function})
        with pytest.raises(PluginError, match=rf'Wrong\.{method} is not a callback'):
            check_callbacks(plugin_class)


@pytest.mark.parametrize(
    'order', [(staticmethod, compiled), (compiled, staticmethod), (compiled,)]
)
def test_the_decorators_of_a_compiled_callback_may_be_in_either_order(order):
    function = three
    for decorator in reversed(order):
        function = decorator(function)
    plugin_class = type('Plugin', (MujocoPlugin,), {'control_callback': function})
    check_callbacks(plugin_class)
    (callback,) = callback_functions(plugin(plugin_class)).values()
    assert isinstance(callback, CompiledCallback)
    assert callback.function is three


@pytest.mark.parametrize(
    ('members', 'mixin'),
    [
        ({'configure': lambda self, config: None}, 'Reconfigurable'),
        ({'check_live': lambda self, config: None}, 'Reconfigurable'),
        ({'adapt': lambda self, model, data: None}, 'Adaptable'),
        ({'model_changed': lambda self, model, data, change: None}, 'Adaptable'),
        ({'save': lambda self: None}, 'Savable'),
        ({'check_saved': lambda self, saved: None}, 'Savable'),
        ({'restore': lambda self, saved: None}, 'Savable'),
        ({'places': ('body',)}, 'Savable'),
        ({'emergency_stop': lambda self, model, data, stopped: None}, 'Stoppable'),
        ({'withdraw': lambda self, model, data: None}, 'Stoppable'),
        ({'take_command': lambda self, model, data, /, *, value: None}, 'Commandable'),
        ({'driven_actuators': ('motor',)}, 'Commandable'),
        ({'read_callback': lambda self, model, data: None}, 'Hardware'),
        ({'write_callback': lambda self, model, data: None}, 'Hardware'),
        ({'restore_model': lambda self, model, data: None}, 'Hardware'),
    ],
)
def test_what_a_mixin_has_is_refused_without_the_mixin_which_is_named(members, mixin):
    (name,) = members
    with pytest.raises(
        PluginError, match=rf'Made\.{name} is used only .* from mujoco_ros_py\.plugins\.{mixin}'
    ):
        check_callbacks(type('Made', (MujocoPlugin,), members))
    check_callbacks(type('Made', (MujocoPlugin, *MIXINS), members))


def test_a_class_that_is_no_plugin_is_refused_by_name():
    with pytest.raises(PluginError, match='dict does not derive from MujocoPlugin'):
        check_callbacks(dict)


@pytest.mark.slow
def test_defining_a_plugin_needs_neither_numba_nor_ros():
    code = (
        'import sys\n'
        'from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state\n'
        'class P(MujocoPlugin):\n'
        '    @staticmethod\n'
        '    @compiled\n'
        '    def control_callback(state, model, data): pass\n'
        'new_state(a=1.0)\n'
        'print([m for m in ("numba", "rclpy") if m in sys.modules])'
    )
    out = subprocess.check_output([sys.executable, '-c', code], text=True, timeout=DEADLINE_S)
    assert out.strip() == '[]'


def made(**members) -> type[MujocoPlugin]:
    return type('Made', (MujocoPlugin,), members)


def method(self, *args):
    pass


@pytest.mark.parametrize(
    ('name', 'meant'),
    [
        ('control_callbak', 'control_callback'),
        ('controll_callback', 'control_callback'),
        ('control_calback', 'control_callback'),
        ('controlCallback', 'control_callback'),
        ('lastStageCallback', 'last_stage_callback'),
        ('last_stage_calback', 'last_stage_callback'),
        ('render_callbacks', 'render_callback'),
        ('pasive_callback', 'passive_callback'),
        ('laod', 'load'),
        ('unlaod', 'unload'),
        ('resett', 'reset'),
        ('on_reset', 'reset'),
        ('on_load', 'load'),
        ('adpat', 'adapt'),
        ('restroe', 'restore'),
        ('configured', 'configure'),
        ('afterLoad', 'after_load'),
    ],
)
def test_a_method_that_is_nearly_one_of_the_contract_is_told_with_what_is_meant(name, meant):
    (told,) = misspelt(made(**{name: method}))
    assert told == f'Made.{name} is not called by the server: did you mean {meant}?'


@pytest.mark.parametrize(
    'members',
    [
        {'preset': method, 'reset': method},
        {'upload': method, 'unload': method},
        {'loaded': False, 'resets': 3},
        {'on_load': method, 'load': method},
        {'saved': method, 'loads': method},
        {'set_targets': method, 'publish': method, 'take': method, 'start': method},
        {'_control_callbak': method},
        {'Config': type('Config', (), {})},
        {point.method: method for point in Point},
    ],
)
def test_other_names_are_nobodys_business(members):
    assert list(misspelt(made(**members))) == []


def test_a_compiled_function_that_is_no_callback_may_be_that_of_a_topic():
    function = compiled(lambda state, model, data, message: None)
    assert not list(misspelt(made(fill=function)))
    (told,) = misspelt(made(control_calback=function))
    assert told.endswith('did you mean control_callback?')


def test_an_inherited_mistake_is_told_too():
    base = made(control_callbak=method)
    assert len(list(misspelt(type('Derived', (base,), {})))) == 1
