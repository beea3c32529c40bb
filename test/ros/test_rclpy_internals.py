"""The package's assumptions about rclpy; each test checks one of them."""

from __future__ import annotations

import ast
import gc
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import rclpy
from action_msgs.msg import GoalStatus
from deadline import DEADLINE_S
from rcl_interfaces.msg import Log, SetParametersResult
from rclpy.action import ActionClient, ActionServer
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future
from rclpy.waitable import Waitable
from std_srvs.srv import Trigger

from mujoco_ros_py.ros import rclpy_internals as internals

FILE = Path(internals.__file__)
PACKAGE = FILE.parents[1]
ROOMS = ('builtin', 'engine/messages', 'ros')
"""The folders that use rclpy."""
OTHER_FILES = [
    path for room in ROOMS for path in sorted((PACKAGE / room).rglob('*.py')) if path != FILE
]


def lost(what: str, without: str) -> str:
    return (
        f'this rclpy has lost what mujoco_ros_py.ros.rclpy_internals needs: {what};'
        f' without it {without}'
    )


@pytest.fixture
def node(context) -> Iterator[Node]:
    overrides = [Parameter('given', value=3), Parameter('other', value='x')]
    node = Node('internals', context=context, parameter_overrides=overrides)
    yield node
    node.destroy_node()


@pytest.fixture(params=['that of the server', 'the standard one'])
def spin_until(request, context, node, monkeypatch) -> Iterator[Callable[[Any], None]]:
    """Returns `spin_until(future)`, with each executor that the server may have."""
    if request.param == 'the standard one':
        executor = SingleThreadedExecutor(context=context)
    else:
        monkeypatch.setattr('rclpy.get_default_context', lambda **_: context)
        executor = internals.new_executor()
    executor.add_node(node)

    def spin(future: Any) -> None:
        executor.spin_until_future_complete(future, timeout_sec=DEADLINE_S)
        assert future.done(), 'it took too long'

    yield spin
    executor.remove_node(node)
    executor.shutdown()


def ask(node: Node) -> Any:
    """Returns a future of the response of the service `asked`."""
    client = node.create_client(Trigger, 'asked')
    assert client.wait_for_service(DEADLINE_S)
    return client.call_async(Trigger.Request())


def test_a_node_keeps_its_parameters_by_name(node):
    node.declare_parameter('b', 1)
    node.declare_parameter('a', 2)
    found = getattr(node, '_parameters', None)
    assert isinstance(found, dict), lost(
        'Node._parameters', 'reading parameters may fail while another thread declares one'
    )
    names = [name for name in internals.parameters_on(node) if name in 'ab']
    assert names == ['b', 'a'], lost('the order of Node._parameters', 'plugins lose their order')
    assert internals.parameters_on(node)['a'].value == 2
    assert internals.parameters_on(node) is not found


def test_a_node_keeps_what_it_was_given_whether_declared_or_not(node):
    without = 'the server does not know what it was started with'
    assert hasattr(node, '_parameter_overrides'), lost('Node._parameter_overrides', without)
    given = {name: each.value for name, each in internals.parameter_overrides(node).items()}
    assert given.items() >= {'given': 3, 'other': 'x'}.items(), lost(
        'the content of Node._parameter_overrides', without
    )


def test_a_parameter_that_cannot_be_set_is_added_and_removed(node):
    before = dict(node._descriptors)
    internals.add_read_only(node, Parameter('fixed', value='x'), 'What it is.')
    without = 'the quality of service of topics is not shown as parameters'
    assert node.get_parameter('fixed').value == 'x', lost('Node._parameters', without)
    described = node.describe_parameter('fixed')
    assert described.read_only, lost('Node._descriptors', without)
    assert (described.name, described.type, described.description) == ('fixed', 4, 'What it is.')
    assert not node.set_parameters([Parameter('fixed', value='y')])[0].successful
    internals.remove_parameter(node, 'fixed')
    internals.remove_parameter(node, 'fixed')
    assert not node.has_parameter('fixed')
    assert node._descriptors == before


class HumbleNode:
    """The parameter callbacks of a Humble node (rclpy 3.3)."""

    def __init__(self) -> None:
        self._parameters_callbacks: list[Callable[[list[Any]], Any]] = []

    def add_on_set_parameters_callback(self, callback: Callable[[list[Any]], Any]) -> None:
        self._parameters_callbacks.insert(0, callback)

    def set_parameters_atomically(self, parameters: list[Any]) -> Any:
        return self._set_parameters_atomically(parameters)

    def _set_parameters_atomically(self, parameters: list[Any], allow_not_set=False) -> Any:
        for callback in self._parameters_callbacks:
            result = callback(parameters)
            if not result.successful:
                return result
        return SetParametersResult(successful=True)


def test_a_node_of_humble_tells_of_parameters_that_are_set_and_forgets_callbacks():
    node, told = HumbleNode(), []
    internals.give_post_set_callbacks(node)
    node._post_set_parameters_callbacks.append(told.append)
    assert node.set_parameters_atomically(['a']).successful
    node._set_parameters_atomically(['b'], allow_not_set=True)

    def refuse(_: list[Any]) -> SetParametersResult:
        return SetParametersResult(successful=False)

    node.add_on_set_parameters_callback(refuse)
    assert not node.set_parameters_atomically(['c']).successful
    assert told == [['a'], ['b']]
    internals.remove_parameter_callback(node, refuse)
    internals.remove_parameter_callback(node, node._post_set_parameters_callbacks[0])
    assert node.set_parameters_atomically(['d']).successful
    assert told == [['a'], ['b']]


def test_newer_nodes_tell_of_parameters_that_are_set_by_themselves(node):
    before = vars(node).copy()
    internals.give_post_set_callbacks(node)
    assert vars(node) == before


def test_undeclared_parameters_are_taken_as_long_as_they_are_allowed(node):
    without = 'new cameras, joints and plugins cannot be set while the server runs'
    assert node._allow_undeclared_parameters is False, lost(
        'Node._allow_undeclared_parameters', without
    )
    with internals.undeclared_parameters_allowed(node):
        result = node.set_parameters_atomically([Parameter('new', value=1)])
    assert result.successful, lost('the effect of _allow_undeclared_parameters', without)
    assert node.get_parameter('new').value == 1
    assert not node._allow_undeclared_parameters


def test_of_parameters_that_are_refused_none_is_declared(node):
    node.add_on_set_parameters_callback(lambda _: SetParametersResult(successful=False))
    with internals.undeclared_parameters_allowed(node):
        assert not node.set_parameters_atomically([Parameter('new', value=1)]).successful
    assert not node.has_parameter('new'), lost(
        'set_parameters_atomically with undeclared parameters',
        'what is refused stays behind as a parameter',
    )


def test_callbacks_for_parameters_are_removed_while_a_list_of_them_is_gone_through(node):
    called: list[str] = []

    def last(parameters: Any) -> SetParametersResult:
        called.append('last')
        return SetParametersResult(successful=True)

    def first(parameters: Any) -> SetParametersResult:
        internals.remove_parameter_callback(node, first)
        return SetParametersResult(successful=True)

    for callback in (last, first):
        node.add_on_set_parameters_callback(callback)
    node.set_parameters([Parameter('use_sim_time', value=False)])
    without = 'a plugin that is unloaded stays in memory with its callbacks for parameters'
    assert called == ['last'], lost('Node._on_set_parameters_callbacks as a list', without)
    for kind in ('pre', 'on', 'post'):
        getattr(node, f'add_{kind}_set_parameters_callback')(print)
        internals.remove_parameter_callback(node, print)
        with pytest.raises(ValueError, match='not in list'):
            getattr(node, f'remove_{kind}_set_parameters_callback')(print)


def test_a_callback_is_looked_up_and_its_answer_goes_through_send_response(node, spin_until):
    without = 'services cannot answer later, and a plugin that takes long blocks all others'
    service = node.create_service(Trigger, 'asked', lambda request, response: response)
    sent, send = [], internals.send_function(service)

    class Later(Trigger.Response):
        __slots__ = ('kept',)

    def later(response: Any, header: Any) -> None:
        sent.append(response)
        send(Trigger.Response(success=True, message='late'), header)

    internals.replace_callback(service, lambda request, response: Later())
    internals.replace_send(service, later)
    answer = ask(node)
    spin_until(answer)
    assert [type(each) for each in sent] == [Later], lost(
        'Service.callback and Service.send_response, looked up for each request', without
    )
    assert answer.result().message == 'late', lost('the header of a request', without)


def test_a_request_can_be_taken_and_answered_without_an_executor(node):
    def called(request: Any, response: Any) -> Any:
        response.message = 'by hand'
        return response

    service = node.create_service(Trigger, 'asked', called)
    without = 'who asks while the server ends gets no answer'
    assert internals.answer_next(service) is False, lost('service_take_request', without)
    other = Context()
    rclpy.init(context=other, domain_id=node.context.get_domain_id())
    asking = Node('asking', context=other)
    executor = SingleThreadedExecutor(context=other)
    executor.add_node(asking)
    answer, waited = ask(asking), threading.Event()
    for _ in range(int(DEADLINE_S * 100)):
        if internals.answer_next(service):
            break
        waited.wait(0.01)
    executor.spin_until_future_complete(answer, timeout_sec=DEADLINE_S)
    message = answer.result().message if answer.done() else 'none'
    executor.shutdown()
    asking.destroy_node()
    other.try_shutdown()
    assert message == 'by hand', lost('service_take_request with the header of a request', without)


def test_the_client_of_an_action_is_given_away_half_made_and_destroyed_by_whom_it_is_handed_to(
    node, monkeypatch
):
    action = type_of_actions()
    made: list[bool] = []
    add = node.add_waitable

    def look(waitable: Any) -> None:
        made.append(internals.is_made(waitable))
        add(waitable)

    monkeypatch.setattr(node, 'add_waitable', look)
    client = ActionClient(node, action, 'look')
    without = 'the thread of the actions may use a client before its constructor is done'
    assert made == [False], lost('ActionClient._lock, set after the client is added', without)
    assert internals.is_made(client), lost('ActionClient._lock', without)

    handed_over: list[Callable[[], Any]] = []
    internals.hand_over_destroy(client, handed_over.append)
    client.destroy()
    assert client in list(node.waitables)
    monkeypatch.setattr(node, 'remove_waitable', lambda waitable: None)
    for _ in range(2):
        handed_over[0]()
    with pytest.raises(InvalidHandle), client:
        raise AssertionError(lost('ActionClient.destroy', 'a client stays when its plugin goes'))


def test_a_callback_group_forgets_an_entity_that_is_destroyed():
    class Entity:
        pass

    group, entity = MutuallyExclusiveCallbackGroup(), Entity()
    without = 'the node grows with every reload'
    assert isinstance(getattr(group, 'entities', None), set), lost(
        'CallbackGroup.entities', without
    )
    internals.add_until_destroyed(group, entity)
    assert group.has_entity(entity), lost('weak references in CallbackGroup.entities', without)
    assert group.can_execute(entity), lost('weak references in CallbackGroup.entities', without)
    del entity
    gc.collect()
    assert group.entities == set()


def type_of_actions() -> Any:
    return pytest.importorskip('tf2_msgs.action', reason='tf2_msgs is not there').LookupTransform


@pytest.fixture
def action(context, node) -> Iterator[SimpleNamespace]:
    """Provides `serve(kind, execute)`, which creates an action server, and `spin_until(done)`."""
    executor, of_type = SingleThreadedExecutor(context=context), type_of_actions()
    executor.add_node(node)

    def spin_until(done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not done():
            assert time.monotonic() < deadline, 'it took too long'
            executor.spin_once(timeout_sec=DEADLINE_S)

    def serve(kind: type[Any], execute: Callable[[Any], Any]) -> Any:
        return kind(node, of_type, 'acted', execute)

    yield SimpleNamespace(serve=serve, spin_until=spin_until, executor=executor, type=of_type)
    executor.remove_node(node)
    executor.shutdown()


@pytest.mark.parametrize('kind', ['of rclpy', 'of plugins'])
def test_an_action_server_removes_the_results_of_goals_when_it_is_destroyed(action, kind):
    forgives = kind == 'of plugins'
    server = action.serve(
        internals.plugin_action_server() if forgives else ActionServer, lambda goal: None
    )
    assert isinstance(server._result_futures, dict)
    server._result_futures[b'accepted just now'] = Future()
    with nullcontext() if forgives else pytest.raises(ValueError, match='not in list'):
        server.destroy()  # if rclpy's own stops raising, `remove_future` can go
    if not forgives:
        server._result_futures.clear()
        server.destroy()


@pytest.mark.skipif(not hasattr(ActionServer, '__class_getitem__'), reason='this one is not')
def test_action_servers_need_not_be_generic(monkeypatch):
    class OfJazzy(ActionServer[Any, Any, Any]):
        """It takes no types, as in rclpy 7."""

    with pytest.raises(TypeError, match='not a generic class'):
        OfJazzy[Any, Any, Any]
    monkeypatch.setattr('rclpy.action.ActionServer', OfJazzy)
    internals.plugin_action_server.cache_clear()
    try:
        assert issubclass(internals.plugin_action_server(), OfJazzy)
    finally:
        internals.plugin_action_server.cache_clear()


def test_the_result_of_a_goal_is_sent_in_a_few_rounds_of_the_executor(action, node):
    finish: Future = Future(executor=action.executor)

    def end(rounds: int) -> None:
        if rounds:
            action.executor.create_task(end, rounds - 1)
        else:
            server.destroy()

    async def execute(goal: Any) -> Any:
        await finish
        goal.succeed()
        end(internals.ROUNDS_TO_RESULT)
        return action.type.Result()

    def is_asked_for() -> bool:
        return any(result._callbacks for result in server._result_futures.values())

    server = action.serve(internals.plugin_action_server(), execute)
    client = ActionClient(node, action.type, 'acted')
    action.spin_until(client.server_is_ready)
    sent = client.send_goal_async(action.type.Goal())
    action.spin_until(sent.done)
    result = sent.result().get_result_async()
    action.spin_until(is_asked_for)
    finish.set_result(None)
    action.executor.spin_until_future_complete(result, timeout_sec=DEADLINE_S)
    client.destroy()
    assert result.done(), lost(
        f'a result that is sent in {internals.ROUNDS_TO_RESULT} rounds of the executor',
        'a client whose goal a reload has ended waits for ever',
    )
    assert result.result().status == GoalStatus.STATUS_SUCCEEDED


@pytest.mark.parametrize('known', [True, False])
def test_an_action_server_answers_at_last_who_asks_for_the_result_of_a_goal_it_knows(
    action, known
):
    server = action.serve(internals.plugin_action_server(), lambda goal: None)
    asked = action.type.Impl.GetResultService.Request()
    if known:
        name, answer = bytes(asked.goal_id.uuid), Future()
        server._goal_handles[name], server._result_futures[name] = (
            SimpleNamespace(destroy=lambda: None),
            answer,
        )
    unread = object()  # nothing must read a goal or an answer in it
    taken = {'goal': unread, 'cancel': unread, 'result': (unread, asked), 'expired': unread}
    with pytest.raises(StopIteration):
        server.execute_last(taken).send(None)
    if known:
        assert answer._callbacks, lost(
            "ActionServer._goal_handles, or the meaning of 'result' in what was taken",
            'a client that asks late for the result of a goal waits for ever',
        )
    server.destroy()


def test_the_coroutine_of_a_waitable_is_looked_up_when_it_is_called():
    async def execute(taken: Any) -> str:
        return f'{taken} executed'

    async def wrapped(taken: Any) -> str:
        return f'guarded: {await execute(taken)}'

    assert callable(getattr(Waitable, 'execute', None)), lost(
        'Waitable.execute', "what a plugin's action raises takes the server down"
    )

    class Thing:
        pass

    thing = Thing()
    thing.execute = execute
    internals.replace_execute(thing, lambda _: wrapped)
    with pytest.raises(StopIteration) as end:
        thing.execute('x').send(None)
    assert end.value.value == 'guarded: x executed'


def test_the_warning_of_a_response_that_is_lost_has_the_words_that_are_looked_for():
    folder = Path(rclpy.__file__).parent
    binaries = [*folder.glob('_rclpy_pybind11*.so')]
    assert binaries
    found = any(internals.LOST_RESPONSE.encode() in binary.read_bytes() for binary in binaries)
    assert found, lost(
        f'the warning {internals.LOST_RESPONSE!r}',
        'a client that asks as soon as it starts may wait for ever',
    )


def test_what_rcl_refuses_to_create_is_an_error_of_its_own(context, node):
    context.handle.shutdown()
    with pytest.raises(internals.refusal(), match='context is invalid'):
        node.create_client(Trigger, 'late')


def test_there_is_an_executor_that_waits_for_events(context, monkeypatch):
    monkeypatch.setattr('rclpy.get_default_context', lambda **_: context)
    executor = internals.new_executor()
    name = type(executor).__name__
    executor.shutdown()
    assert name == 'EventsExecutor', lost(
        'rclpy.experimental.events_executor', 'services answer in twice the time'
    )


def _private_names(path: Path) -> Iterator[str]:
    """Yields the names with an underscore that a file uses of objects of other classes."""
    text = path.read_text()
    if not re.search(r'(?<!self)(?<!cls)\._[a-z]', text):  # parsing a file takes a moment
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Attribute):
            continue
        of_self = isinstance(node.value, ast.Name) and node.value.id in ('self', 'cls')
        dunder = node.attr.startswith('__') and node.attr.endswith('__')
        if node.attr.startswith('_') and not dunder and not of_self:
            yield f'{path.relative_to(PACKAGE)}: {ast.unparse(node)}'


def test_an_entry_of_the_log_has_the_place_that_is_told(context, node, spin_until):
    # rcl assigns entries to the oldest node of a name, so no other test may use this name
    speaker = Node('speaker', context=context)
    found: Future = Future()
    node.create_subscription(
        Log, '/rosout', lambda entry: entry.msg == 'said' and found.set_result(entry), 10
    )
    place = 'say', 'file.py', 7
    node.create_timer(0.05, lambda: internals.write_log(speaker.get_logger(), 30, 'said', place))
    spin_until(found)
    speaker.destroy_node()
    entry = found.result()
    said = entry.level, entry.name, entry.function, entry.file, entry.line
    assert said == (Log.WARN, 'speaker', 'say', 'file.py', 7), lost(
        'rclpy_logging_rcutils_log(severity, name, text, function, file, line)',
        'nothing of what the package logs is seen',
    )


def test_nothing_else_uses_a_private_name_of_rclpy():
    used = [each for path in OTHER_FILES for each in _private_names(path)]
    assert used == [
        'builtin/cameras/camera_topics.py: super()._send',
        'engine/messages/stand_ins.py: kind._fields',
        'engine/messages/stand_ins.py: kind._package',
    ]


INTERNALS = {
    'entities',
    'experimental',
    'handle',
    'remove_future',
    'send_response',
    'service_take_request',
}
WORLD = 'ros/simulation_interfaces/'
"""In this folder, `entities` are the entities of the world."""


def _used_or_overridden(node: ast.AST) -> str:
    """Returns the attribute that a piece of code uses, or the method that it defines."""
    return getattr(node, 'attr', '') or (
        node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ''
    )


def test_nothing_else_uses_what_rclpy_does_not_document():
    suspects = [
        path for path in OTHER_FILES if any(name in path.read_text() for name in INTERNALS)
    ]
    users = {
        f'{path.relative_to(PACKAGE)}: {name}'
        for path in suspects
        for node in ast.walk(ast.parse(path.read_text()))
        if (name := _used_or_overridden(node)) in INTERNALS
    }
    users = {each for each in users if not (each.startswith(WORLD) and each.endswith('entities'))}
    modules = [
        str(path.relative_to(PACKAGE)) for path in OTHER_FILES if 'rclpy.exper' in path.read_text()
    ]
    assert (users, modules) == (set(), [])
