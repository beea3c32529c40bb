"""Maps the names in joint states to joints of the model."""

from __future__ import annotations

from collections.abc import Iterable

import mujoco

from ...config.wording import listed, unknown
from ...errors import ConfigError, RecordingError
from ...simulation import names_of
from .measured import Topic

JOINT = mujoco.mjtObj.mjOBJ_JOINT
_MOVED = {int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)}
_MOST = 20
"""The most names in a message."""


def joints_of(model: mujoco.MjModel) -> dict[str, int]:
    """Returns the ids of the named hinges and slides."""
    joints = names_of(model, JOINT, '')
    return {name: k for name, k in joints.items() if model.jnt_type[k] in _MOVED}


def mapped_joints(topic: Topic, names: Iterable[str]) -> tuple[dict[str, int], list[str]]:
    """Returns the id of the joint for each name in the messages, and the unknown names.

    Raises ConfigError if the options name unknown joints.
    """
    known, found, missing = joints_of(topic.model), dict[str, int](), list[str]()
    given = {**topic.common.joints, **topic.own.joints}
    for name, joint in given.items():
        if joint not in known:
            place = f'{topic.option}.joints' if name in topic.own.joints else 'joints'
            raise ConfigError(f'{place}.{name}: {unknown("joint of the model", joint, known)}')
    names = list(names)
    for name in topic.own.joints:
        if name not in names:
            raise ConfigError(
                f'{topic.option}.joints: {unknown("joint of the recording", name, names)}'
            )
    for name in names:
        if name in given:
            found[name] = known[given[name]]
        elif not name.startswith(topic.prefix):
            continue
        elif (own := name.removeprefix(topic.prefix)) in known:
            found[name] = known[own]
        else:
            missing.append(name)
    return found, missing


def none_found(topic: Topic, names: Iterable[str]) -> str:
    """Returns the message that none of the names is a joint of the model."""
    prefix = f' with the prefix {topic.prefix}' if topic.prefix else ''
    known = joints_of(topic.model)
    return (
        f'{topic.where}: the model has none of its joints{prefix}: {listed(list(names), _MOST)};'
        f' joints of the model: {listed(known, _MOST) or "none"}; map them by joints'
    )


def check_distinct(topic: Topic, found: dict[str, int]) -> None:
    """Raises RecordingError if two names are the same joint."""
    by_joint: dict[int, str] = {}
    for name, joint in found.items():
        if (other := by_joint.setdefault(joint, name)) != name:
            raise RecordingError(
                f'{topic.where}: {other} and {name} are both the joint'
                f' {topic.model.joint(joint).name}; set joints or prefix'
            )
