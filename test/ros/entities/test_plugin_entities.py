"""Entities of plugins on the node: they have their own threads, and end with their plugin."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from deadline import DEADLINE_S
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidParameterValueException, ParameterAlreadyDeclaredException
from rclpy.parameter import Parameter
from std_msgs.msg import String
from std_srvs.srv import Trigger
from system.harness import PENDULUM, wait_until
from system.plugin_site import PluginSite

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.ros.entities.shared_node import SharedNode
from mujoco_ros_py.simulation import Owner

YES, NO = SetParametersResult(successful=True), SetParametersResult(successful=False)


class Plugin:
    """Creates one entity on a node."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def called(self, *arguments: Any) -> None:
        """The callback of the entity."""

    def yes(self, parameters: Any) -> SetParametersResult:
        return YES

    def same(self, parameters: Any) -> Any:
        return parameters


MAKER = """
import weakref

from rcl_interfaces.msg import SetParametersResult

from mujoco_ros_py.plugins import MujocoPlugin

ALIVE = weakref.WeakSet()


class Maker(MujocoPlugin):
    \"\"\"Declares a parameter, and adds callbacks for parameters.\"\"\"

    def load(self, model, data):
        ALIVE.add(self)
        self.node.declare_parameter('gain', len(ALIVE))
        self.node.add_pre_set_parameters_callback(self.same)
        self.node.add_on_set_parameters_callback(self.yes)
        self.node.add_post_set_parameters_callback(print)

    def same(self, parameters):
        return parameters

    def yes(self, parameters):
        return SetParametersResult(successful=True)
"""
THINGS: dict[str, Callable[[Plugin], Any]] = {
    'publisher': lambda p: p.node.create_publisher(String, 'talk', 1),
    'subscription': lambda p: p.node.create_subscription(String, 'hear', p.called, 1),
    'events': lambda p: p.node.create_subscription(
        String, 'hear', print, 1, event_callbacks=SubscriptionEventCallbacks(matched=p.called)
    ),
    'client': lambda p: p.node.create_client(Trigger, 'ask'),
    'timer': lambda p: p.node.create_timer(60.0, p.called),
    'service': lambda p: p.node.create_service(Trigger, 'ask', p.called),
    'guard condition': lambda p: p.node.create_guard_condition(p.called),
    'set': lambda p: p.node.add_on_set_parameters_callback(p.yes),
    'before set': lambda p: p.node.add_pre_set_parameters_callback(p.same),
    'after set': lambda p: p.node.add_post_set_parameters_callback(p.called),
}


@pytest.fixture
def node(new_node) -> SharedNode:
    return new_node('n')


@pytest.fixture
def owner() -> Owner:
    return new_owner()


def new_owner() -> Owner:
    faults: list[BaseException] = []

    def fail(where: str, error: BaseException) -> None:
        faults.append(error)
        owner.close()

    owner = Owner('plugin', fail)
    return owner


def come_and_go(node: SharedNode, make: Callable[[Plugin], Any]) -> weakref.ref[Plugin]:
    plugin, owner = Plugin(node), new_owner()
    with owner.at('load'):
        make(plugin)
    owner.end()
    return weakref.ref(plugin)


@pytest.mark.slow
@pytest.mark.parametrize('thing', THINGS)
def test_a_plugin_that_is_unloaded_is_forgotten_with_what_it_has_made(node, thing):
    gone = [come_and_go(node, THINGS[thing]) for _ in range(3)]
    node.set_parameters([Parameter('use_sim_time', value=False)])

    def all_forgotten() -> bool:
        node.executor.create_task(gc.collect)  # a waiting executor remembers its last wait set
        gc.collect()
        return not any(each() for each in gone)

    wait_until(all_forgotten, 'all are forgotten')


@pytest.mark.parametrize('kind', ['publisher', 'subscription', 'service', 'client', 'timer'])
def test_what_a_plugin_has_made_is_destroyed_when_it_is_unloaded(node, kind):
    def there() -> int:
        return len(list(getattr(node, f'{kind}s')))

    before = there()
    come_and_go(node, THINGS[kind])
    wait_until(lambda: there() == before, 'what was made is destroyed')


@pytest.mark.slow
def test_after_several_reloads_a_server_has_one_plugin_and_its_parameter(
    serve, tmp_path, monkeypatch
):
    site = PluginSite(tmp_path)
    site.add_module('maker_of_parameters', MAKER)
    monkeypatch.syspath_prepend(site.folder)
    plugins = '[{type: maker_of_parameters/Maker, name: maker}]'
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins=plugins)
    for _ in range(3):
        server.assembly.reload().result(DEADLINE_S)
        assert server.assembly.host.counts[0] == 1
    alive = sys.modules['maker_of_parameters'].ALIVE
    wait_until(lambda: gc.collect() + 1 and len(alive) == 1, 'the old ones are forgotten')
    server.node.set_parameters([Parameter('MujocoPlugins', value='[]')])
    server.assembly.reload().result(DEADLINE_S)
    assert not server.node.has_parameter('gain')
    wait_until(lambda: gc.collect() + 1 and not alive, 'all are forgotten')


def test_who_sleeps_by_a_rate_wakes_when_its_plugin_is_unloaded(node, owner):
    with owner.at('load'):
        rate = node.create_rate(1e-3)
    sleeper = threading.Thread(target=rate.sleep, daemon=True)
    sleeper.start()
    wait_until(lambda: rate._num_sleepers, 'it sleeps')
    owner.end()
    sleeper.join(DEADLINE_S)
    assert not sleeper.is_alive()


def test_a_callback_that_takes_its_plugin_out_keeps_no_other_callback_from_being_asked(
    node, owner
):
    node.add_on_set_parameters_callback(lambda parameters: NO)
    with owner.at('load'):
        node.add_on_set_parameters_callback(lambda parameters: 1 / 0)
    (answer,) = node.set_parameters([Parameter('use_sim_time', value=False)])
    assert owner.closed
    assert not answer.successful


def test_a_parameter_is_there_until_its_plugin_is_unloaded_and_may_be_declared_again_then(node):
    for value in range(3):
        owner = new_owner()
        with owner.at('load'):
            node.declare_parameter('gain', value)
            node.declare_parameter('fixed', value, ParameterDescriptor(read_only=True))
            node.declare_parameters('arm', [('left', value), ('right', value)])
        owner.close()
        assert node.get_parameter('gain').value == value, 'unload may read it'
        owner.end()
        declared = {name: node.has_parameter(name) for name in ('gain', 'fixed', 'arm.left')}
        assert not any(declared.values()), declared


def test_those_parameters_that_were_declared_before_a_refused_one_go_too(node, owner):
    def answer(parameters: list[Parameter[Any]]) -> SetParametersResult:
        return NO if parameters[0].name == 'wrong' else YES

    node.add_on_set_parameters_callback(answer)
    with owner.at('load'), pytest.raises(InvalidParameterValueException):
        node.declare_parameters('', [('right', 1), ('wrong', 1)])
    assert node.has_parameter('right')
    owner.end()
    assert not node.has_parameter('right')


def test_a_parameter_of_somebody_else_stays_when_a_plugin_goes_that_has_had_one_of_its_name(
    node, owner
):
    node.declare_parameter('other', 1)
    with owner.at('load'):
        with pytest.raises(ParameterAlreadyDeclaredException):
            node.declare_parameter('other', 2)
        node.declare_parameter('gain', 1)
        node.undeclare_parameter('gain')
    node.declare_parameter('gain', 2)
    owner.end()
    assert node.get_parameter('gain').value == 2
    assert node.get_parameter('other').value == 1


async def later(*arguments: Any) -> None:
    """Waits for nothing."""


class Later:
    """An object whose call is a coroutine function."""

    async def __call__(self, *arguments: Any) -> None:
        """Waits for nothing."""


@pytest.mark.parametrize('function', [later, Later()], ids=['function', 'object'])
@pytest.mark.parametrize('thing', [name for name in THINGS if name not in ('publisher', 'client')])
def test_a_coroutine_function_of_a_plugin_is_refused_with_what_to_give_instead(
    node, owner, monkeypatch, thing, function
):
    plugin = Plugin(node)
    for name in ('called', 'yes', 'same'):
        monkeypatch.setattr(plugin, name, function, raising=False)
    expected = r'must be a plain function, not a coroutine function \(async def\)'
    with owner.at('load'), pytest.raises(PluginError, match=expected):
        THINGS[thing](plugin)
    THINGS[thing](plugin)  # rclpy handles entities without a plugin


def test_the_events_of_a_topic_are_told_on_the_thread_of_the_plugin(node, owner, new_node):
    threads: list[str] = []

    def tell(event: Any) -> None:
        threads.append(threading.current_thread().name)

    with owner.at('load'):
        events = SubscriptionEventCallbacks(matched=tell)
        node.create_subscription(String, 'hear', print, 1, event_callbacks=events)
    new_node('other').create_publisher(String, 'hear', 1)
    wait_until(lambda: threads, 'the publisher is told')
    assert set(threads) == {'plugin'}
