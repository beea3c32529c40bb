"""All that the node uses of rclpy beside its documented interface.

What lies below rclpy is in `rcl_internals`. The node relies on these things:

- A node keeps its parameters by name in `_parameters`, their descriptors in `_descriptors`, and
  those that it was given when it was made in `_parameter_overrides`.
- A node calls the callbacks of its three lists `_*_set_parameters_callbacks`, which can be
  replaced. That of Humble has one list, `_parameters_callbacks`, and sets all parameters by
  `_set_parameters_atomically`.
- A node whose `_allow_undeclared_parameters` is true takes parameters that were not declared.
- A service has its type in `srv_type` and its name in `srv_name`. The executor looks `callback` up
  for each request, and gives what that returns to `send_response` with the request's header.
- `service_take_request` of a service's handle returns a request and its header, or None for both.
- The constructor of an action client adds the client to its node before it sets `_lock`, which is
  the last that it does; one that has no `_lock` sets `_logger` last (Humble, Jazzy).
- An action client may be destroyed twice, and `destroy` can be replaced.
- An executor calls the coroutine function `execute` of a waitable, which can be replaced.
- Where the middleware does not take a response, the only sign is a RuntimeWarning that begins
  with `LOST_RESPONSE`.
- A callback group has weak references of its entities in the set `entities`, and knows an entity
  if an equal reference is there.
- An action server that is destroyed gives the result of each goal to its own `remove_future`,
  which raises ValueError for one that it does not know.
- An action server has its goals by id in `_goal_handles`. Its `execute` gets a dictionary, which
  has the header and the request for a result under 'result'.
- The handle of a goal may set an empty result by `_set_result` when the goal ends, before the
  function that executes it has returned one (rclpy 7.1.9 to 10).
- The result of a goal that has been executed is sent within `ROUNDS_TO_RESULT` rounds of the
  executor.
- `rclpy_implementation.Subscription` makes a subscription of a node's handle, which no executor
  knows as long as it is not in the node's list.
- `rclpy_implementation` has the classes of the handles, with the attribute `pointer` if they tell
  their address.
- `rclpy.experimental` has an executor that waits for events.
- `rclpy_implementation.RCLError` is the error for an entity that the middleware refuses to create.
- `rclpy_implementation.rclpy_logging_rcutils_log` writes a log entry, with the place in the source
  that it is given. The numbers of severities are those of Python's logging.
"""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..rcl_internals import import_type_support

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.service import Service

LOST_RESPONSE = 'failed to send response'
"""The beginning of the warning that the middleware did not take a response."""
ROUNDS_TO_RESULT = 5
"""The rounds of the executor in which the result of a goal passes from task to task."""
_HUMBLE = '_parameters_callbacks'
"""The list of callbacks for parameters that only nodes of Humble have."""
Execute = Callable[[Any], Awaitable[Any]]
"""The coroutine function of a waitable, which gets what was taken."""


def parameters_on(node: Node) -> dict[str, Parameter]:
    """Returns a copy of the node's parameters by name, in the order of declaration.

    It is made at once, so other threads may declare parameters meanwhile; the public method
    `get_parameters_by_prefix` fails then.
    """
    return dict(node._parameters)


def parameter_overrides(node: Node) -> Mapping[str, Parameter]:
    """Returns the parameters that the node was made with, by name, declared or not."""
    return dict(node._parameter_overrides)


def add_read_only(node: Node, parameter: Parameter, description: str) -> None:
    """Adds a parameter that nobody can set; callbacks for parameters are not asked.

    They could refuse it, and asking them costs a millisecond for each parameter.
    """
    from rcl_interfaces.msg import ParameterDescriptor

    name, kind = parameter.name, parameter.type_.value
    node._descriptors[name] = ParameterDescriptor(
        name=name, type=kind, description=description, read_only=True
    )
    node._parameters[name] = parameter


def remove_parameter(node: Node, name: str) -> None:
    """Removes a parameter; the public method `undeclare_parameter` keeps one that is read-only."""
    node._parameters.pop(name, None)
    node._descriptors.pop(name, None)


def remove_parameter_callback(node: Node, callback: Any) -> None:
    """Has the node call this object for parameters no more, whichever kind of callback it is.

    The public methods shorten the lists, so that a change of parameters that goes through a list
    meanwhile, on any thread, would leave out another callback.
    """
    names = [f'_{kind}_set_parameters_callbacks' for kind in ('pre', 'on', 'post')]
    for name in (*names, _HUMBLE):
        if hasattr(node, name):
            setattr(node, name, [each for each in getattr(node, name) if each is not callback])


def give_post_set_callbacks(node: Node) -> None:
    """Has a node of Humble call the functions in `_post_set_parameters_callbacks`, as later ones.

    It must be called once, before a parameter is set that they have to know of.
    """
    if not hasattr(node, _HUMBLE):
        return
    node._post_set_parameters_callbacks = []
    set_all = node._set_parameters_atomically

    def set_and_tell(parameters: Any, *more: Any, **options: Any) -> Any:
        result = set_all(parameters, *more, **options)
        for callback in node._post_set_parameters_callbacks if result.successful else ():
            callback(parameters)
        return result

    node._set_parameters_atomically = set_and_tell


@contextmanager
def undeclared_parameters_allowed(node: Node) -> Iterator[None]:
    """Has the node take parameters that are not declared, as long as the context lasts.

    If one of several that are set together is refused, none of them is declared.
    """
    node._allow_undeclared_parameters = True
    try:
        yield
    finally:
        node._allow_undeclared_parameters = False


def replace_callback(service: Service, callback: Callable[[Any, Any], Any]) -> None:
    """Has the service call this function from now on."""
    service.callback = callback


def send_function(service: Service) -> Callable[[Any, Any], Any]:
    """Returns the method `send(response, header)`, which answers the request of a header."""
    send: Callable[[Any, Any], Any] = service.send_response
    return send


def replace_send(service: Service, send: Callable[[Any, Any], Any]) -> None:
    """Has the executor call `send(response, header)` with what the service's callback returns."""
    service.send_response = send


def answer_next(service: Service) -> bool:
    """Answers the request that has waited longest, as an executor would; False if none waits.

    Raises whatever the callback of the service raises, and rclpy's InvalidHandle if the service
    is destroyed.
    """
    with service.handle:
        request, header = service.handle.service_take_request(service.srv_type.Request)
    if header is None:
        return False
    response = service.callback(request, service.srv_type.Response())
    service.send_response(response, header)
    return True


def replace_execute(waitable: Any, wrap: Callable[[Execute], Execute]) -> None:
    """Has the executor call `wrap(execute)` in place of the waitable's `execute`."""
    waitable.execute = wrap(waitable.execute)


def is_made(client: Any) -> bool:
    """Returns whether an action client is made to its end, so that it can be served."""
    names = type(client).__init__.__code__.co_names
    return hasattr(client, '_lock' if '_lock' in names else '_logger')


def hand_over_destroy(client: Any, call: Callable[[Callable[[], Any]], Any]) -> None:
    """Has `client.destroy()` call `call(destroy)`, where `destroy()` destroys an action client."""
    kind, itself = type(client), weakref.ref(client)  # nothing in a client must keep it
    client.destroy = lambda: call(partial(kind.destroy, itself()))


def add_until_destroyed(group: Any, entity: Any) -> None:
    """Adds an entity to a callback group, which forgets it when nobody holds it any more."""
    group.entities.add(weakref.ref(entity, group.entities.discard))


def await_result(goal: Any) -> None:
    """Has the handle of a goal take no result but the one that the executing function returns."""
    if set_result := getattr(goal, '_set_result', None):
        goal._set_result = lambda result: None if result is None else set_result(result)


def event_handlers() -> type[Any]:
    """Returns the class of what calls the functions for events of topics."""
    try:
        from rclpy import event_handler
    except ImportError:
        from rclpy import qos_event

        humble: type[Any] = qos_event.QoSEventHandler
        return humble
    newer: type[Any] = event_handler.EventHandler
    return newer


@cache
def plugin_action_server() -> type[Any]:
    """Returns the class of action servers that send their last results before they are destroyed.

    The import of rclpy's actions takes long, and waits until somebody has an action.
    """
    from rclpy.action import ActionServer

    class PluginActionServer(ActionServer):  # which is not generic in Jazzy
        def remove_future(self, future: Any) -> None:
            """Forgets the result of a goal; that of one which does not run yet is not known."""
            with suppress(ValueError):
                super().remove_future(future)

        async def execute_last(self, taken: dict[str, Any]) -> None:
            """Answers a request for the result of a goal, and nothing else.

            The executor calls this in place of `execute` when the plugin has ended. Whatever
            concerns other goals is for the action server that follows this one.
            """
            _, request = taken.get('result', (None, None))
            if request is not None and bytes(request.goal_id.uuid) in self._goal_handles:
                await super().execute({'result': taken['result']})

    return PluginActionServer


def new_executor(context: Any = None) -> Any:
    """Returns an executor that waits for events, or polls where rclpy has no such executor.

    The former answers a request in half the time. It serves nodes of this context, which is
    rclpy's own by default.
    """
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor

        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)


def write_log(logger: Any, severity: int, text: str, place: tuple[str, str, int]) -> None:
    """Writes a log entry of a ROS logger, unless the logger leaves out entries of this severity.

    `place` has the function, the file and the line that the entry comes from. The public methods
    of the logger look for the place themselves: the first call resolves the path of every module
    that is imported, which takes tens of milliseconds under the GIL.
    """
    if logger.is_enabled_for(severity):
        _implementation().rclpy_logging_rcutils_log(severity, logger.name, text, *place)


def refusal() -> type[Exception]:
    """Returns the class of errors for entities that the middleware refuses to create."""
    kind: type[Exception] = _implementation().RCLError
    return kind


def refused(error: BaseException) -> str:
    """Returns the message for a `refusal`, in one line."""
    return f'ROS refuses a topic or a service: {" ".join(str(error).split())}'


def has_handles() -> bool:
    """Returns whether publishers and subscriptions tell the addresses of their handles."""
    implementation = _implementation()
    return hasattr(implementation.Publisher, 'pointer') and hasattr(
        implementation.Subscription, 'pointer'
    )


def silent_subscription(node: Node, kind: type[Any], topic: str, qos: Any) -> Any:
    """Returns the handle of a new subscription that no executor knows, to take messages from.

    Its `destroy_when_not_in_use` destroys it.
    """
    import_type_support(kind)
    with node.handle:
        return _implementation().Subscription(node.handle, kind, topic, qos.get_c_qos_profile())


def _implementation() -> Any:
    from rclpy.impl.implementation_singleton import rclpy_implementation

    return rclpy_implementation
