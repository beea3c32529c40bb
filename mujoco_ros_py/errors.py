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
