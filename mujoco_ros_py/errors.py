"""The errors of this package: one base class, and one type per stage from parameters to steps."""

from enum import Enum


class MujocoRosError(Exception):
    """The base class of every error that this package raises on purpose."""


class ConfigError(MujocoRosError):
    """A parameter or a configuration breaks a rule; the message gives place, rule and value."""


class ModelError(MujocoRosError):
    """An MJCF model cannot be read or compiled; the message comes from the compiler."""


class MjcfError(ModelError, ValueError):
    """MJCF breaks a rule; the message of a reading error begins with line and element."""

    path = ''
    """The path of the faulty included file as written in the include; empty for the main file."""
    line: int | None = None
    """The line in that file; None if it is unknown."""
    reason = ''
    """The message without the location."""


class MjcfKeyError(MjcfError, KeyError):
    """MJCF has no such element at this place."""

    __str__ = Exception.__str__  # KeyError would put the message in quotes


class MjcfAttributeError(MjcfError, AttributeError):
    """An element has no such attribute, or lacks a required one."""


class MjcfFileError(MjcfError, OSError):
    """A file that MJCF includes cannot be read."""


class SpawnFault(Enum):
    """A reason why an entity cannot be spawned or deleted."""

    NAME_NOT_UNIQUE = 'name not unique'
    NAME_INVALID = 'name invalid'
    NAMESPACE_INVALID = 'namespace invalid'
    UNSUPPORTED_FORMAT = 'unsupported format'
    NO_RESOURCE = 'no resource'
    PARSE_ERROR = 'parse error'
    INVALID_POSE = 'invalid pose'
    NOT_FOUND = 'not found'
    OTHER = 'other'


class EntityError(MujocoRosError):
    """An entity cannot be spawned, changed or deleted; nothing has changed."""

    def __init__(self, message: str, fault: SpawnFault = SpawnFault.OTHER) -> None:
        super().__init__(message)
        self.fault = fault
        """The reason, as a category."""


class UrdfError(ModelError, ValueError):
    """A URDF breaks a rule; the message of a reading error begins with line and element."""

    path = ''
    """The name of the file; empty for a model given as a string."""
    line: int | None = None
    """The line in that file; None if it is unknown."""
    reason = ''
    """The message without the location."""


class PhysicsError(MujocoRosError, RuntimeError):
    """MuJoCo warns of a diverging state or of full memory; a reset clears the error."""


class ResourceError(MujocoRosError):
    """A resource provider lacks a requested resource, or cannot be registered."""


class SweepError(MujocoRosError):
    """A sweep cannot be run, or its results cannot be read or written."""


class IsolationError(MujocoRosError):
    """An isolated process died, exceeded a limit or could not start; the message says which."""


class PluginError(MujocoRosError):
    """A plugin type cannot be found or loaded, or a plugin breaks the contract."""


class ArraySizeError(MujocoRosError, ValueError):
    """Compiled code passed a libmujoco function an array of a wrong size."""

    def __init__(self, function: str, argument: str, rule: str, longer: bool, *sizes: int) -> None:
        """`sizes` are the expected sizes, then the given sizes; `longer` permits larger arrays."""
        super().__init__(function, argument, rule, longer, *sizes)

    def __str__(self) -> str:
        """Names the function and the argument, the rule with its value, and the given size."""
        function, argument, rule, longer, *sizes = self.args
        half = len(sizes) // 2
        wanted, came = sizes[:half], sizes[half:]
        least = 'at least ' if longer else ''
        if half == 2:
            return (
                f'{function}: {argument} must have the shape ({rule}), which is'
                f' {tuple(wanted)}, got {tuple(came)}'
            )
        said = '' if rule == str(wanted[0]) else f' ({rule})'
        return f'{function}: {argument} must have {least}{wanted[0]} elements{said}, got {came[0]}'


class ArgumentRangeError(MujocoRosError, IndexError):
    """Compiled code passed a libmujoco function an index that is out of range."""

    def __init__(
        self, function: str, argument: str, field: str, least: int, count: int, came: int
    ) -> None:
        super().__init__(function, argument, field, least, count, came)

    def __str__(self) -> str:
        """Names the function and the argument, the valid range, and the given index."""
        function, argument, field, least, count, came = self.args
        allowed = f'must be at least {least} and below {count} ({field})'
        return f'{function}: {argument} {allowed}, got {came}'


class IndexRangeError(MujocoRosError, IndexError):
    """Compiled code used an invalid index; for arrays of numbers only `boundscheck` detects it."""

    def __init__(self, what: str, came: int, size: int) -> None:
        super().__init__(what, came, size)

    def __str__(self) -> str:
        """Returns the same message as NumPy."""
        what, came, size = self.args
        return f'index {came} is out of bounds for {what} with size {size}'


class BroadcastError(MujocoRosError, ValueError):
    """Compiled code wrote an array into an array of another shape."""

    def __init__(self, axes: int, *extents: int) -> None:
        """`extents` are the given shape, which has `axes` axes, and then the target's shape."""
        super().__init__(axes, *extents)

    def __str__(self) -> str:
        """Returns the same message as NumPy."""
        axes, *extents = self.args
        given, target = tuple(extents[:axes]), tuple(extents[axes:])
        return f'could not broadcast input array from shape {given} into shape {target}'


class RoomError(MujocoRosError, ValueError):
    """Compiled code made a sequence or a string of a message longer than in its template."""

    def __init__(self, field: str, came: int, room: int) -> None:
        super().__init__(field, came, room)

    def __str__(self) -> str:
        """Names the field, its capacity, and the requested length."""
        field, came, room = self.args
        return f'{field} has room for {room} elements, as many as its template has, got {came}'


class RenderingError(MujocoRosError):
    """An image cannot be rendered: OpenGL is missing, or cannot render this image."""


class PublishError(MujocoRosError):
    """The middleware did not accept a message."""


class NoAnswerError(MujocoRosError):
    """No node offers the name that a client requests, or the response does not arrive in time."""


class SimulationError(MujocoRosError):
    """A command cannot be executed now; the message gives the reason."""


class ConditionError(MujocoRosError, AssertionError):
    """A condition that a test waits for did not become true within the given simulated time."""


class EngineError(SimulationError):
    """libmujoco reported a fatal error; the data is undefined until a reset or a reload."""


class EndedError(SimulationError):
    """The simulation ends or has ended, so a command was not executed."""


class TimeLimitError(EndedError):
    """A process did not finish within its time limit, and was ended."""


class CompilingStoppedError(SimulationError):
    """The process was asked to end before a function was compiled."""

    def __init__(self, name: str) -> None:
        super().__init__(f'{name} is not compiled because the process ends')


class RecordingError(MujocoRosError):
    """A recording cannot be written, read or repeated; the message gives file and reason."""


class ViewerError(MujocoRosError):
    """The viewer cannot be shown; the message gives the reason."""
