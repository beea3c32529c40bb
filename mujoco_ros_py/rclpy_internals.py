"""All that the package uses of rclpy and rosidl beside their documented interfaces.

It relies on these things:

- A node keeps its parameters by name in `_parameters`, their descriptors in `_descriptors`, and
  those that it was given when it was made in `_parameter_overrides`.
- A node calls the callbacks of its three lists `_*_set_parameters_callbacks`, which can be
  replaced.
- A node whose `_allow_undeclared_parameters` is true takes parameters that were not declared.
- A service has its type in `srv_type` and its name in `srv_name`. The executor looks `callback` up
  for each request, and gives what that returns to `send_response` with the request's header.
- `service_take_request` of a service's handle returns a request and its header, or None for both.
- The constructor of an action client adds the client to its node before it sets `_lock`, which is
  the last that it does.
- An action client may be destroyed twice, and `destroy` can be replaced.
- An executor calls the coroutine function `execute` of a waitable, which can be replaced.
- Where the middleware does not take a response, the only sign is a RuntimeWarning that begins
  with `LOST_RESPONSE`.
- A callback group has weak references of its entities in the set `entities`, and knows an entity
  if an equal reference is there.
- An action server that is destroyed gives the result of each goal to its own `remove_future`,
  which raises ValueError for one that it does not know.
- The result of a goal that has been executed is sent within `ROUNDS_TO_RESULT` rounds of the
  executor.
- A publisher's handle has the address of the `rcl_publisher_t` in `pointer`, and that of a
  subscription the address of the `rcl_subscription_t`; a handle destroys it only when nobody is
  inside of `with handle`.
- `rclpy_implementation.Subscription` makes a subscription of a node's handle, which no executor
  knows as long as it is not in the node's list.
- The metaclass of a message class has C functions in capsules, which create, destroy and convert
  messages in memory.
- `rcl_subscription_set_on_new_message_callback` sets a function that is called for each message.
- `rcl_take` returns 401 if there is no message.
- `librcl.so` and `librcutils.so` are the libraries that rclpy has loaded.
- A message class has the type of each field in `SLOT_TYPES`, in the order of
  `get_fields_and_field_types`.
- `rclpy.experimental` has an executor that waits for events.
- `rclpy_implementation.rclpy_logging_rcutils_log` writes a log entry, with the place in the source
  that it is given. The numbers of severities are those of Python's logging.
- The parser of rcl refuses a sequence of values of several types with the words in
  `MIXED_SEQUENCE`.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

LOST_RESPONSE = 'failed to send response'
"""The beginning of the warning that the middleware did not take a response."""
NOTHING_TAKEN = 401
"""What `rcl_take` returns if there is no message (RCL_RET_SUBSCRIPTION_TAKE_FAILED)."""
ROUNDS_TO_RESULT = 5
"""The rounds of the executor in which the result of a goal passes from task to task."""
MIXED_SEQUENCE = 'Sequence should be of same type'
"""The words of rcl for a sequence of values of several types, such as a list of structs."""


def parameters_on(node: Any) -> dict[str, Any]:
    """A copy of the node's parameters by name, in the order of declaration.

    It is made at once, so other threads may declare parameters meanwhile; the public method
    `get_parameters_by_prefix` fails then.
    """
    return dict(node._parameters)


def parameter_overrides(node: Any) -> Mapping[str, Any]:
    """The parameters that the node was given when it was made, by name, declared or not."""
    overrides: Mapping[str, Any] = node._parameter_overrides
    return overrides


def add_read_only(node: Any, parameter: Any, description: str) -> None:
    """Adds a parameter that nobody can set; callbacks for parameters are not asked.

    They could refuse it, and asking them costs a millisecond for each parameter.
    """
    from rcl_interfaces.msg import ParameterDescriptor

    name, kind = parameter.name, parameter.type_.value
    node._descriptors[name] = ParameterDescriptor(
        name=name, type=kind, description=description, read_only=True
    )
    node._parameters[name] = parameter


def remove_parameter(node: Any, name: str) -> None:
    """Removes a parameter; the public method `undeclare_parameter` keeps one that is read-only."""
    node._parameters.pop(name, None)
    node._descriptors.pop(name, None)


def remove_parameter_callback(node: Any, callback: Any) -> None:
    """Has the node call this object for parameters no more, whichever kind of callback it is.

    The public methods shorten the lists, so that a change of parameters that goes through a list
    meanwhile, on any thread, would leave out another callback.
    """
    for kind in ('pre', 'on', 'post'):
        name = f'_{kind}_set_parameters_callbacks'
        setattr(node, name, [each for each in getattr(node, name) if each is not callback])


@contextmanager
def undeclared_parameters_allowed(node: Any) -> Iterator[None]:
    """Has the node take parameters that are not declared, as long as the context lasts.

    If one of several that are set together is refused, none of them is declared.
    """
    node._allow_undeclared_parameters = True
    try:
        yield
    finally:
        node._allow_undeclared_parameters = False


def replace_callback(service: Any, callback: Callable[[Any, Any], Any]) -> None:
    """Has the service call this function from now on."""
    service.callback = callback


def send_function(service: Any) -> Callable[[Any, Any], Any]:
    """The method `send(response, header)`, which answers the request that has this header."""
    send: Callable[[Any, Any], Any] = service.send_response
    return send


def replace_send(service: Any, send: Callable[[Any, Any], Any]) -> None:
    """Has the executor call `send(response, header)` with what the service's callback returns."""
    service.send_response = send


def answer_next(service: Any) -> bool:
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


def replace_execute(
    waitable: Any, wrap: Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]
) -> None:
    """Has the executor call `wrap(execute)` in place of the waitable's `execute`."""
    waitable.execute = wrap(waitable.execute)


def is_action_client(waitable: Any) -> bool:
    """Whether a waitable is a client of an action."""
    from rclpy.action import ActionClient  # takes long to import

    return isinstance(waitable, ActionClient)


def is_made(client: Any) -> bool:
    """Whether the constructor of an action client is done with it, so that it can be served."""
    return hasattr(client, '_lock')


def hand_over_destroy(client: Any, call: Callable[[Callable[[], Any]], Any]) -> None:
    """Has `client.destroy()` call `call(destroy)`, where `destroy()` destroys an action client."""
    kind, itself = type(client), weakref.ref(client)  # nothing in a client must keep it
    client.destroy = lambda: call(partial(kind.destroy, itself()))


def add_until_destroyed(group: Any, entity: Any) -> None:
    """Adds an entity to a callback group, which forgets it when nobody holds it any more."""
    group.entities.add(weakref.ref(entity, group.entities.discard))


@cache
def forgiving_action_server() -> type[Any]:
    """The class of action servers that can be destroyed while a goal is being accepted.

    The import of rclpy's actions takes long, and waits until somebody has an action.
    """
    from rclpy.action import ActionServer

    class ForgivingActionServer(ActionServer[Any, Any, Any]):
        def remove_future(self, future: Any) -> None:
            """Forgets the result of a goal; that of one which does not run yet is not known."""
            with suppress(ValueError):
                super().remove_future(future)

    return ForgivingActionServer


def field_types(message: type[Any]) -> dict[str, Any]:
    """The fields of a message class by name, each with its type as `rosidl_parser` has it."""
    names = message.get_fields_and_field_types()
    return dict(zip(names, message.SLOT_TYPES, strict=True))


def new_executor() -> Any:
    """An executor that waits for events, or one that polls where rclpy has no such executor.

    The former answers a request in half the time.
    """
    try:
        from rclpy.experimental.events_executor import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor

        return SingleThreadedExecutor()
    return EventsExecutor()


def write_log(logger: Any, severity: int, text: str, place: tuple[str, str, int]) -> None:
    """Writes a log entry of a ROS logger, unless the logger leaves out entries of this severity.

    `place` has the function, the file and the line that the entry comes from. The public methods
    of the logger look for the place themselves: the first call resolves the path of every module
    that is imported, which takes tens of milliseconds under the GIL.
    """
    if logger.is_enabled_for(severity):
        _implementation().rclpy_logging_rcutils_log(severity, logger.name, text, *place)


def has_handles() -> bool:
    """Whether publishers and subscriptions tell the addresses of their handles."""
    implementation = _implementation()
    return hasattr(implementation.Publisher, 'pointer') and hasattr(
        implementation.Subscription, 'pointer'
    )


def silent_subscription(node: Any, kind: type[Any], topic: str, qos: Any) -> Any:
    """Returns the handle of a new subscription that no executor knows, to take messages from.

    Its `destroy_when_not_in_use` destroys it.
    """
    kind.__class__.__import_type_support__()  # type: ignore[attr-defined]
    with node.handle:
        return _implementation().Subscription(node.handle, kind, topic, qos.get_c_qos_profile())


def call_for_messages(subscription: Any, function: int, argument: int) -> None:
    """Has the middleware call the C function `function(argument, count)` when messages come.

    `subscription` is a handle. The function is called on threads of the middleware, and once now
    for messages that are there already. A function of 0 ends the calls.
    """
    library = ctypes.CDLL('librcl.so')
    with subscription:
        library.rcl_subscription_set_on_new_message_callback(
            *map(ctypes.c_void_p, (subscription.pointer, function, argument))
        )


def publish_function() -> int:
    """Returns the address of the C function `rcl_publish(handle, message, 0)`."""
    return _address(ctypes.CDLL('librcl.so').rcl_publish)


def take_function() -> int:
    """Returns the address of the C function `rcl_take(handle, message, 0, 0)`."""
    return _address(ctypes.CDLL('librcl.so').rcl_take)


def reset_error_function() -> int:
    """Returns the address of the C function that clears the error of the calling thread."""
    return _address(ctypes.CDLL('librcutils.so').rcutils_reset_error)


class NativeMessage:
    """A message in the memory of rosidl, whose sequences the middleware may enlarge."""

    def __init__(self, kind: type[Any]) -> None:
        support = kind.__class__
        support.__import_type_support__()  # type: ignore[attr-defined]
        create, self._destroy, self._to_python, self._from_python = (
            _capsule(getattr(support, name), *signature)
            for name, signature in _MESSAGE_FUNCTIONS.items()
        )
        self.address: int = create()

    def set(self, message: Any) -> None:
        """Sets all fields to those of a Python message. Raises ValueError if they cannot be."""
        if not self._from_python(message, self.address):
            raise ValueError(f'{type(message).__name__} cannot be converted')

    def get(self) -> Any:
        """Returns the message as a Python object."""
        return self._to_python(self.address)

    def __del__(self) -> None:
        self._destroy(self.address)


_MESSAGE_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    '_CREATE_ROS_MESSAGE': (ctypes.c_void_p,),
    '_DESTROY_ROS_MESSAGE': (None, ctypes.c_void_p),
    '_CONVERT_TO_PY': (ctypes.py_object, ctypes.c_void_p),
    '_CONVERT_FROM_PY': (ctypes.c_bool, ctypes.py_object, ctypes.c_void_p),
}
"""The functions of a message class in capsules, with the types of their results and arguments."""


def _capsule(capsule: Any, *signature: Any) -> Any:
    """Returns the function in a capsule as one for Python, which is called with the GIL."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.PYFUNCTYPE(*signature)(pointer(capsule, None))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _implementation() -> Any:
    from rclpy.impl.implementation_singleton import rclpy_implementation

    return rclpy_implementation


class HeldHandle:
    """The handle of a publisher or a subscription, which is not destroyed before `release`."""

    def __init__(self, entity: Any) -> None:
        """`entity` is an rclpy publisher, or what `silent_subscription` returns.

        Raises rclpy's InvalidHandle if it is destroyed already.
        """
        self._handle = getattr(entity, 'handle', entity)
        self._handle.__enter__()
        self.address: int = self._handle.pointer
        """The address of the `rcl_publisher_t` or `rcl_subscription_t`."""

    def release(self) -> None:
        """Lets the handle be destroyed; this must be called once."""
        self._handle.__exit__(None, None, None)


class RawPublisher:
    """Publishes messages that lie in memory as C has them, by the handle of an rclpy publisher."""

    def __init__(self, publisher: Any) -> None:
        self._handle = publisher.handle
        self._pointer = self._handle.pointer
        self._publish, self._error_string, self._reset_error = _functions()

    def publish(self, address: int) -> str:
        """Publishes the message at an address, without the GIL; returns the error, or nothing.

        Raises rclpy's InvalidHandle if the publisher is destroyed.
        """
        with self._handle:
            if self._publish(self._pointer, address, None) == 0:
                return ''
            reason: str = self._error_string().text.decode(errors='replace')
            self._reset_error()
            return reason or 'no reason is given'


class _ErrorString(ctypes.Structure):
    """The struct rcutils_error_string_t."""

    _fields_ = (('text', ctypes.c_char * 1024),)


@cache
def _functions() -> tuple[Any, Any, Any]:
    """The functions of rcl and rcutils that publish, tell the error and forget it."""
    publish = ctypes.CDLL('librcl.so').rcl_publish
    publish.argtypes, publish.restype = [ctypes.c_void_p] * 3, ctypes.c_int
    rcutils = ctypes.CDLL('librcutils.so')
    text = rcutils.rcutils_get_error_string
    text.argtypes, text.restype = [], _ErrorString
    return publish, text, rcutils.rcutils_reset_error
