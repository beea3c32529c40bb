"""What has to be computed again after a write, and before a read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import mujoco

from .fields import Field

CURRENT, FORCES, VELOCITIES, POSITIONS = range(4)
"""The first stage of a step that is out of date; those behind it are too."""

_INPUTS = {
    'qpos': POSITIONS,
    'mocap_pos': POSITIONS,
    'mocap_quat': POSITIONS,
    'eq_active': POSITIONS,
    'userdata': POSITIONS,
    'plugin_state': POSITIONS,
    'plastic': POSITIONS,
    'history': POSITIONS,
    'qvel': VELOCITIES,
    'act': FORCES,
    'ctrl': FORCES,
    'qfrc_applied': FORCES,
    'xfrc_applied': FORCES,
    'qacc_warmstart': CURRENT,
    'qacc': CURRENT,  # of inverse dynamics
}
"""What one writes into mjData, and what is out of date then."""
_OF_POSITIONS = re.compile(
    r'x(pos|quat|mat|anchor|axis)|xi(pos|quat|mat)|(geom|site|cam|light)_x\w+|subtree_com|cdof'
    r'|cinert|crb|ten_(wrap\w+|length)|actuator_length|flexvert_xpos|flexedge_length'
    r'|flexelem_aabb'
)
"""Arrays of mjData that depend on positions alone."""
_OF_VELOCITIES = frozenset(
    [
        'actuator_velocity', 'ten_velocity', 'flexedge_velocity', 'cvel', 'cdof_dot',
        'subtree_linvel', 'subtree_angmom',
    ]
)  # fmt: skip
_LOOKS = re.compile(
    r'\w+_(rgba|matid)|(geom|site|skin|flex|tendon)_group|mat_\w+|tex_\w+|skin_\w+|tendon_width'
    r'|light_(texid|castshadow|bulbradius|intensity|range|active|attenuation|cutoff|softness'
    r'|exponent|ambient|diffuse|specular)|key_\w+|numeric_data|tuple_\w+'
)
"""Arrays of mjModel on which no step depends."""
_STRUCTURE = re.compile(
    r'name_\w+|\w+(adr|num|nnz|ind)|body_(parentid|rootid|weldid|mocapid|treeid)'
    r'|(jnt|geom|site|cam|light|dof)_bodyid|dof_(jntid|parentid|treeid)|(jnt|sensor|plugin)_type'
    r'|sensor_dim|hfield_n\w+|tex_(height|width|nchannel)|(text|numeric|tuple)_size|flex_dim'
    r'|plugin|plugin_(data|attr)|names|paths|text_data|body_simple|\w+_sameframe|dof_simplenum'
)
"""Arrays of mjModel that tell where it has what; a wrong one has MuJoCo write anywhere."""


def is_read_only(field: Field) -> bool:
    """Whether MuJoCo computes an array, or is lost if somebody changes it."""
    if field.of_data:
        return field.name not in _INPUTS
    return _STRUCTURE.fullmatch(field.name) is not None


def outdated_by(field: Field) -> int:
    """The first stage that is out of date after a write into an array."""
    if field.of_data:
        return _INPUTS.get(field.name, CURRENT)
    return CURRENT if _LOOKS.fullmatch(field.name) else POSITIONS


def held_until(field: Field) -> int:
    """The last stage that may be out of date while what an array has still holds."""
    if not field.of_data or (field.name in _INPUTS and field.name != 'qacc'):
        return POSITIONS
    if _OF_POSITIONS.fullmatch(field.name):
        return VELOCITIES
    return FORCES if field.name in _OF_VELOCITIES else CURRENT


SAME_FRAMES = {
    'body_pos': ('body_sameframe',),
    'body_quat': ('body_sameframe',),
    'body_ipos': ('body_sameframe', 'body_simple'),
    'body_iquat': ('body_sameframe', 'body_simple'),
    'geom_pos': ('geom_sameframe',),
    'geom_quat': ('geom_sameframe',),
    'site_pos': ('site_sameframe',),
    'site_quat': ('site_sameframe',),
}
"""Marks of mjModel that spare MuJoCo a computation, and that a write makes wrong."""
ALIGNED = 'body_ipos', 'body_iquat'
"""What cannot change of a body whose `body_simple` is 1: mjModel has no room for its inertia."""
_VELOCITIES_OF_SUBTREES = 'flg_subtreevel', mujoco.mj_subtreeVel
_FORCES_ON_BODIES = 'flg_rnepost', mujoco.mj_rnePostConstraint
ON_DEMAND: dict[str, tuple[str, Callable[..., Any]]] = {
    'subtree_linvel': _VELOCITIES_OF_SUBTREES,
    'subtree_angmom': _VELOCITIES_OF_SUBTREES,
    'cacc': _FORCES_ON_BODIES,
    'cfrc_int': _FORCES_ON_BODIES,
    'cfrc_ext': _FORCES_ON_BODIES,
}
"""What MuJoCo computes only for sensors that need it: what tells that it did, and what does it."""
