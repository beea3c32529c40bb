"""Determines the message kind, the array layout and the frame of each sensor of a model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

import mujoco

from ..sensor_frames import SensorFrames

_TYPES = mujoco.mjtSensor
_OBJECTS = mujoco.mjtObj
_AXIS, _QUATERNION = (
    int(mujoco.mjtDataType.mjDATATYPE_AXIS), int(mujoco.mjtDataType.mjDATATYPE_QUATERNION),
)  # fmt: skip
_POSITIVE = int(mujoco.mjtDataType.mjDATATYPE_POSITIVE)


class Kind(Enum):
    """The kinds of values; each has its own message type."""

    SCALAR = 'scalar'
    VECTOR = 'vector'
    POINT = 'point'
    QUATERNION = 'quaternion'
    ARRAY = 'array'


@dataclass(frozen=True, slots=True)
class Row:
    """How the values of one ray or contact are arranged, and how they mark a miss."""

    size: int
    """The number of values in a row; a sensor has one or more rows."""
    mark: int = -1
    """The index of the first value that marks a miss; -1: no value marks misses."""
    zeros: int = 0
    """How many values, starting at `mark`, are all 0 in a miss; if 0, the value at `mark` is
    negative in a miss."""
    distances: int = 0
    """A bit mask of the values that are negative in a miss and nonnegative in a hit."""


Layout = tuple[tuple[str, int], ...]
"""The dimensions of an array, outermost first; each has a label and a size."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Describes the values that one sensor of a model measures."""

    kind: Kind
    frame_id: str
    """The TF frame of the values; empty if they have neither direction nor position."""
    layout: Layout
    """The dimensions of an array; empty for other kinds."""
    address: int
    """The index of the first value in `sensordata`."""
    count: int
    """The number of values of the sensor in `sensordata`."""
    cutoff: float
    """The largest absolute value; 0: no limit."""
    positive: bool
    """Whether all values are nonnegative."""
    unit: bool
    """Whether the values are a unit vector, or 0 while the direction is undefined."""
    row: Row
    """The arrangement of each ray or contact; for other sensors, one row of all values."""


def _names(*names: str) -> frozenset[int]:
    """Returns the sensor types with these names that the installed MuJoCo has."""
    known = _TYPES.__members__
    return frozenset(int(known[f'mjSENS_{n}']) for n in names if f'mjSENS_{n}' in known)


_POINTS = _names('FRAMEPOS', 'SUBTREECOM')
_VECTORS = _names(
    'ACCELEROMETER', 'VELOCIMETER', 'GYRO', 'FORCE', 'TORQUE', 'MAGNETOMETER', 'BALLANGVEL',
    'FRAMEXAXIS', 'FRAMEYAXIS', 'FRAMEZAXIS', 'FRAMELINVEL', 'FRAMEANGVEL', 'FRAMELINACC',
    'FRAMEANGACC', 'SUBTREELINVEL', 'SUBTREEANGMOM', 'GEOMNORMAL',
)  # fmt: skip
_QUATERNIONS = _names('BALLQUAT', 'FRAMEQUAT')
_RANGEFINDER, _CONTACT, _TACTILE = _names('RANGEFINDER'), _names('CONTACT'), _names('TACTILE')
_ATTACHED = _names(
    'TOUCH', 'ACCELEROMETER', 'VELOCIMETER', 'GYRO', 'FORCE', 'TORQUE', 'MAGNETOMETER',
    'RANGEFINDER', 'PLUGIN', 'USER',
)  # fmt: skip
"""The types that measure in the frame of the object that they are attached to."""
_REFERRING = _names(
    'FRAMEPOS', 'FRAMEQUAT', 'FRAMEXAXIS', 'FRAMEYAXIS', 'FRAMEZAXIS', 'FRAMELINVEL',
    'FRAMEANGVEL', 'CAMPROJECTION', 'INSIDESITE', 'TACTILE',
)  # fmt: skip
"""The types that measure in the frame of the object that they refer to, or in the world."""
_OF_JOINTS = _names(
    'JOINTPOS', 'JOINTVEL', 'JOINTACTFRC', 'JOINTLIMITPOS', 'JOINTLIMITVEL', 'JOINTLIMITFRC',
    'BALLANGVEL',
)  # fmt: skip
_IN_PARENT = _names('BALLQUAT')
_WITHOUT_FRAME = _names(
    'TENDONPOS', 'TENDONVEL', 'TENDONACTFRC', 'TENDONLIMITPOS', 'TENDONLIMITVEL',
    'TENDONLIMITFRC', 'ACTUATORPOS', 'ACTUATORVEL', 'ACTUATORFRC', 'E_POTENTIAL', 'E_KINETIC',
    'CLOCK',
)  # fmt: skip
_FROM_TO = _names('GEOMFROMTO')
_NEVER_CUT = _CONTACT | _FROM_TO
_RAY_FIELDS = (('dist', 1), ('dir', 3), ('origin', 3), ('point', 3), ('normal', 3), ('depth', 1))
_DISTANCES = 'dist', 'depth'
_CONTACT_FIELDS = (
    ('found', 1), ('force', 3), ('torque', 3), ('dist', 1), ('pos', 3), ('normal', 3),
    ('tangent', 3), ('linvel', 3), ('angvel', 3),
)  # fmt: skip
"""The possible fields of a contact sensor, in the order of their bits in `sensor_intprm`."""
_LAYOUTS: dict[int, Layout] = {
    **dict.fromkeys(_FROM_TO, (('from to', 2), ('x y z', 3))),
    **dict.fromkeys(_names('CAMPROJECTION'), (('u v', 2),)),
}


def measured(model: mujoco.MjModel, sensor: int, frames: SensorFrames) -> Measured:
    """Returns the description of a sensor of the model; `frames` supplies its frame's name."""
    type_ = int(model.sensor_type[sensor])
    kind = _kind(model, sensor)
    datatype = int(model.sensor_datatype[sensor])
    return Measured(
        kind=kind,
        frame_id=_frame(model, sensor, frames),
        layout=_layout(model, sensor) if kind is Kind.ARRAY else (),
        address=int(model.sensor_adr[sensor]),
        count=int(model.sensor_dim[sensor]),
        cutoff=0.0 if type_ in _NEVER_CUT else float(model.sensor_cutoff[sensor]),
        positive=datatype == _POSITIVE,
        unit=datatype == _AXIS,
        row=_row(model, sensor),
    )


def _kind(model: mujoco.MjModel, sensor: int) -> Kind:
    type_, count = int(model.sensor_type[sensor]), int(model.sensor_dim[sensor])
    datatype = int(model.sensor_datatype[sensor])
    if type_ in _QUATERNIONS or (datatype == _QUATERNION and count == 4):
        return Kind.QUATERNION
    if type_ in _POINTS:
        return Kind.POINT
    if type_ in _VECTORS or (datatype == _AXIS and count == 3):
        return Kind.VECTOR
    return Kind.SCALAR if count == 1 else Kind.ARRAY


def _frame(model: mujoco.MjModel, sensor: int, frames: SensorFrames) -> str:
    type_ = int(model.sensor_type[sensor])
    kind, number = int(model.sensor_objtype[sensor]), int(model.sensor_objid[sensor])
    body = int(_OBJECTS.mjOBJ_XBODY)
    if type_ in _WITHOUT_FRAME:
        return ''
    if type_ in _OF_JOINTS | _IN_PARENT:
        of = int(model.jnt_bodyid[number])
        return frames.of(body, int(model.body_parentid[of]) if type_ in _IN_PARENT else of)
    if type_ in _ATTACHED:
        return frames.of(kind, number)
    if type_ in _REFERRING:
        return frames.of(int(model.sensor_reftype[sensor]), int(model.sensor_refid[sensor]))
    return frames.of(body, 0)


def _layout(model: mujoco.MjModel, sensor: int) -> Layout:
    type_, count = int(model.sensor_type[sensor]), int(model.sensor_dim[sensor])
    if type_ in _CONTACT:
        return _with_fields('slot', count, _CONTACT_FIELDS, int(model.sensor_intprm[sensor][0]))
    if type_ in _RANGEFINDER:
        return _with_fields('ray', count, _RAY_FIELDS, int(model.sensor_intprm[sensor][0]))
    if type_ in _TACTILE:
        return (('depth slide1 slide2', 3), ('taxel', count // 3))
    return _LAYOUTS.get(type_, (('value', count),))


def _row(model: mujoco.MjModel, sensor: int) -> Row:
    """Returns how a sensor arranges the values of one ray or contact, and how it marks a miss."""
    type_, count = int(model.sensor_type[sensor]), int(model.sensor_dim[sensor])
    bits = int(model.sensor_intprm[sensor][0])
    if type_ in _RANGEFINDER:  # older MuJoCo versions have no bits, only distances
        return _ray_row(_chosen(_RAY_FIELDS, bits or 1))
    if type_ in _CONTACT:  # the values of an empty slot are 0
        fields = _chosen(_CONTACT_FIELDS, bits)
        size = sum(length for _, length in fields)
        return _marked(fields, ('found', 'normal', 'tangent')) or Row(size, 0, size)
    return Row(count, 0, count) if type_ in _FROM_TO else Row(count)


def _ray_row(fields: Layout) -> Row:
    """Returns the row of a ray with these fields.

    In a miss, distances are negative. In a row without distances, the direction, normal or point
    is 0.
    """
    starts = list(accumulate((length for _, length in fields), initial=0))
    at = [start for start, (name, _) in zip(starts, fields, strict=False) if name in _DISTANCES]
    if at:
        return Row(starts[-1], at[0], distances=sum(1 << start for start in at))
    return _marked(fields, ('dir', 'normal', 'point')) or Row(starts[-1])


def _marked(fields: Layout, zero: tuple[str, ...]) -> Row | None:
    """Returns a row with these fields, where zeros in one field mark a miss.

    This field is the first name in `zero` that is in `fields`. Returns None if `fields` has none
    of these names.
    """
    starts = list(accumulate((length for _, length in fields), initial=0))
    for name in zero:
        for start, (field, length) in zip(starts, fields, strict=False):
            if field == name:
                return Row(starts[-1], start, length)
    return None


def _chosen(fields: Layout, bits: int) -> Layout:
    """Returns the fields that the bits select."""
    return tuple(field for bit, field in enumerate(fields) if bits >> bit & 1)


def _with_fields(each: str, count: int, fields: Layout, bits: int) -> Layout:
    """Returns the layout of an array of records with the fields that the bits select."""
    chosen = _chosen(fields, bits)
    size = sum(length for _, length in chosen)
    label = ' '.join(name if length == 1 else f'{name}[{length}]' for name, length in chosen)
    return ((each, count // size), (label, size))
