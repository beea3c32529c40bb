"""All uses of the layers below rclpy: rcl, rcutils, rosidl, and rclpy's handles.

This module does not import rclpy: its callers already have a publisher, a subscription or a
message class. It relies on these facts:

- A publisher's handle has the address of the `rcl_publisher_t` in `pointer`, and a subscription's
  handle the address of the `rcl_subscription_t`. A handle destroys the struct only when no thread
  is inside `with handle`.
- The metaclass of a message class has C functions in capsules, which create, destroy and convert
  messages in memory.
- `rcl_subscription_set_on_new_message_callback` sets a function that is called for each message.
- `rcl_take` returns 401 if no message is waiting.
- `rcl_publisher_get_subscription_count` returns the number of subscriptions of a publisher.
- `librcl.so` and `librcutils.so` are the libraries that rclpy has loaded.
- `lib<package>__rosidl_generator_c.so` has `<package>__<folder>__<type>__copy(source, target)`,
  which copies a message in memory.
- A message class has the type of each field in `SLOT_TYPES`, in the order of
  `get_fields_and_field_types`.
- The parser of rcl refuses a sequence of values of several types with the words in
  `MIXED_SEQUENCE`.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

NOTHING_TAKEN = 401
"""The result of `rcl_take` if no message is waiting (RCL_RET_SUBSCRIPTION_TAKE_FAILED)."""
MIXED_SEQUENCE = 'Sequence should be of same type'
"""The words of rcl for a sequence of values of several types, such as a list of structs."""


def field_types(message: type[Any]) -> dict[str, Any]:
    """Returns the fields of a message class by name, with their types from `rosidl_parser`."""
    names = message.get_fields_and_field_types()
    return dict(zip(names, message.SLOT_TYPES, strict=True))


def import_type_support(kind: type[Any]) -> Any:
    """Loads the C functions of a message class, and returns the metaclass that has them."""
    support: Any = kind.__class__
    support.__import_type_support__()
    return support


def call_for_messages(subscription: Any, function: int, argument: int) -> None:
    """Makes the middleware call the C function `function(argument, count)` for new messages.

    `subscription` is a handle. The function is called on threads of the middleware, and once
    immediately for messages that are waiting. Pass 0 as `function` to end the calls. Raises
    RuntimeError if the middleware does not support these calls.
    """
    library = ctypes.CDLL('librcl.so')
    with subscription:
        code = library.rcl_subscription_set_on_new_message_callback(
            *map(ctypes.c_void_p, (subscription.pointer, function, argument))
        )
    if code != 0:
        raise RuntimeError(f'the middleware does not report new messages: {_last_error()}')


def publish_function() -> int:
    """Returns the address of the C function `rcl_publish(handle, message, 0)`."""
    return _address(ctypes.CDLL('librcl.so').rcl_publish)


def count_function() -> int:
    """Returns the address of `rcl_publisher_get_subscription_count(handle, count)`.

    The C function writes a size_t to the address `count`.
    """
    return _address(ctypes.CDLL('librcl.so').rcl_publisher_get_subscription_count)


def take_function() -> int:
    """Returns the address of the C function `rcl_take(handle, message, 0, 0)`."""
    return _address(ctypes.CDLL('librcl.so').rcl_take)


def reset_error_function() -> int:
    """Returns the address of the C function that clears the error of the calling thread."""
    return _address(ctypes.CDLL('librcutils.so').rcutils_reset_error)


def copy_function(kind: type[Any]) -> int:
    """Returns the address of the C function `copy(source, target)` of a message class.

    The generated library of a package has the function, and the class has loaded the library.
    """
    import_type_support(kind)
    package, folder = kind.__module__.split('.')[:2]
    library = ctypes.CDLL(f'lib{package}__rosidl_generator_c.so')
    return _address(getattr(library, f'{package}__{folder}__{kind.__name__}__copy'))


def message_reader(kind: type[Any]) -> Any:
    """Returns a function that returns the message at an address as a Python object."""
    return _message_function(import_type_support(kind), '_CONVERT_TO_PY')


class NativeMessage:
    """A message in the memory of rosidl; the middleware may enlarge its sequences."""

    def __init__(self, kind: type[Any]) -> None:
        support = import_type_support(kind)
        create, self._destroy, self._to_python, self._from_python = (
            _message_function(support, name) for name in _MESSAGE_FUNCTIONS
        )
        self.address: int = create()

    def set(self, message: Any) -> None:
        """Copies all fields of a Python message. Raises ValueError if a field does not fit."""
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
"""The capsule functions of a message class, with their result and argument types."""


def _message_function(support: Any, name: str) -> Any:
    """Returns a function of a message class for calls from Python, which hold the GIL."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.PYFUNCTYPE(*_MESSAGE_FUNCTIONS[name])(pointer(getattr(support, name), None))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class HeldHandle:
    """Keeps the handle of a publisher or a subscription alive until `release`."""

    def __init__(self, entity: Any) -> None:
        """`entity` is an rclpy publisher, or the result of `silent_subscription`.

        Raises rclpy's InvalidHandle if the entity has been destroyed.
        """
        self._handle = getattr(entity, 'handle', entity)
        self._handle.__enter__()
        self.address: int = self._handle.pointer
        """The address of the `rcl_publisher_t` or `rcl_subscription_t`."""

    def release(self) -> None:
        """Permits the destruction of the handle; call this once."""
        self._handle.__exit__(None, None, None)


def raw_publisher(publisher: Any, kind: type[Any]) -> RawPublisher | ConvertingPublisher:
    """Returns an object that publishes messages in C memory through an rclpy publisher."""
    if hasattr(publisher.handle, 'pointer'):
        return RawPublisher(publisher)
    return ConvertingPublisher(publisher, kind)


class RawPublisher:
    """Publishes messages in their C layout through the handle of an rclpy publisher."""

    def __init__(self, publisher: Any) -> None:
        self._handle = publisher.handle
        self._pointer = self._handle.pointer
        self._publish = _publish_function()

    def publish(self, address: int) -> str:
        """Publishes the message at an address, without the GIL; returns the error, or ''.

        Raises rclpy's InvalidHandle if the publisher is destroyed.
        """
        with self._handle:
            return '' if self._publish(self._pointer, address, None) == 0 else _last_error()


class ConvertingPublisher:
    """Publishes messages in C memory through rclpy; for handles that do not expose an address."""

    def __init__(self, publisher: Any, kind: type[Any]) -> None:
        self._publish = publisher.publish
        self._to_python = _message_function(import_type_support(kind), '_CONVERT_TO_PY')

    def publish(self, address: int) -> str:
        """Publishes the message at an address; returns the error, or ''.

        Raises rclpy's InvalidHandle if the publisher is destroyed.
        """
        try:
            self._publish(self._to_python(address))
        except RuntimeError as error:
            if type(error).__name__ == 'InvalidHandle':
                raise
            return str(error)
        return ''


class _ErrorString(ctypes.Structure):
    """The struct rcutils_error_string_t."""

    _fields_ = (('text', ctypes.c_char * 1024),)


@cache
def _publish_function() -> Any:
    """Returns rcl's function for publishing."""
    publish = ctypes.CDLL('librcl.so').rcl_publish
    publish.argtypes, publish.restype = [ctypes.c_void_p] * 3, ctypes.c_int
    return publish


def _last_error() -> str:
    """Returns the last error of rcl on this thread, and clears it."""
    rcutils = ctypes.CDLL('librcutils.so')
    text = rcutils.rcutils_get_error_string
    text.argtypes, text.restype = [], _ErrorString
    reason: str = text().text.decode(errors='replace')
    rcutils.rcutils_reset_error()
    return reason or 'no reason is given'
