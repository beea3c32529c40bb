"""What can go wrong, as few types: one base, one per stage of the way from parameters to steps."""


class MujocoRosError(Exception):
    """Base of every error that this package raises on purpose."""


class ConfigError(MujocoRosError):
    """A parameter or a configuration breaks a rule; the message names place, rule and value."""


class ModelError(MujocoRosError):
    """An MJCF model cannot be read or compiled; the message is the compiler's."""


class MjcfError(ModelError, ValueError):
    """MJCF breaks a rule; of what is read, the message begins with the line and the element."""

    path = ''
    """Of the included file that has the fault, as the include has it; empty: the model's own."""
    line: int | None = None
    """Where in that file; None: it cannot be told."""
    reason = ''
    """The message without the place."""


class MjcfKeyError(MjcfError, KeyError):
    """MJCF has no such element there."""

    __str__ = Exception.__str__  # KeyError would put the message in quotes


class MjcfAttributeError(MjcfError, AttributeError):
    """The element has no such attribute, or lacks one that it must have."""


class MjcfFileError(MjcfError, OSError):
    """A file that MJCF includes cannot be read."""


class PhysicsError(MujocoRosError, RuntimeError):
    """MuJoCo warns of a state that diverges or of memory that is full; a reset mends it."""


class ResourceError(MujocoRosError):
    """A resource provider has not got what it is asked for, or cannot be registered."""


class IsolationError(MujocoRosError):
    """A process of its own died, broke a limit or cannot be had; the message says how."""


class PluginError(MujocoRosError):
    """A plugin type cannot be found or loaded, or a plugin breaks the contract."""


class ArraySizeError(MujocoRosError, ValueError):
    """Compiled code gave a function of libmujoco an array of another size than it takes."""

    def __init__(self, function: str, argument: str, rule: str, longer: bool, *sizes: int) -> None:
        """`sizes` are those wanted and then those that came; `longer`: more would be fine."""
        super().__init__(function, argument, rule, longer, *sizes)

    def __str__(self) -> str:
        """Names function and argument, the rule, its value, and what came."""
        function, argument, rule, longer, *sizes = self.args
        half = len(sizes) // 2
        wanted, came = sizes[:half], sizes[half:]
        least = 'at least ' if longer else ''
        if half == 2:
            return (
                f'{function}: {argument} must have the shape ({rule}), which is'
                f' {tuple(wanted)}, has {tuple(came)}'
            )
        said = '' if rule == str(wanted[0]) else f' ({rule})'
        return f'{function}: {argument} must have {least}{wanted[0]} elements{said}, has {came[0]}'


class ArgumentRangeError(MujocoRosError, IndexError):
    """Compiled code gave a function of libmujoco the number of something that is not there."""

    def __init__(self, function: str, argument: str, field: str, count: int, came: int) -> None:
        super().__init__(function, argument, field, count, came)

    def __str__(self) -> str:
        """Names function and argument, what there is, and what came."""
        function, argument, field, count, came = self.args
        return f'{function}: {argument} must be at least 0 and below {count} ({field}), is {came}'


class IndexRangeError(MujocoRosError, IndexError):
    """Compiled code asked for what is not in an array; of numbers, only with `boundscheck`."""

    def __init__(self, what: str, came: int, size: int) -> None:
        super().__init__(what, came, size)

    def __str__(self) -> str:
        """Says what NumPy says."""
        what, came, size = self.args
        return f'index {came} is out of bounds for {what} with size {size}'


class RenderingError(MujocoRosError):
    """No image can be made: there is no OpenGL, or it cannot make that one."""


class PublishError(MujocoRosError):
    """The middleware did not take a message."""


class SimulationError(MujocoRosError):
    """A command cannot be carried out now: the reason is the message."""


class EngineError(SimulationError):
    """libmujoco reported a fatal error; data are undefined until a reset or a reload."""


class EndedError(SimulationError):
    """The simulation ends or has ended: what was asked for is not done."""
