"""The stages of a step: a write to an array outdates some, and a read needs some up to date."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import mujoco

from .fields import Field

CURRENT, FORCES, VELOCITIES, POSITIONS = range(4)
"""How much of a step must be computed again: nothing (CURRENT), only the forces, also the
velocities, or everything from the positions on."""

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
    'qacc': CURRENT,  # set for inverse dynamics
}
"""The arrays of mjData that users write, each with the first stage that a write outdates."""
_OF_POSITIONS = re.compile(
    r'x(pos|quat|mat|anchor|axis)|xi(pos|quat|mat)|(geom|site|cam|light)_x\w+|subtree_com|cdof'
    r'|cinert|crb|ten_(wrap\w+|length)|actuator_length|flexvert_xpos|flexedge_length'
    r'|flexelem_aabb'
)
"""Matches the arrays of mjData that depend only on positions."""
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
"""Matches the arrays of mjModel that do not affect any step."""
_STRUCTURE = re.compile(
    r'name_\w+|\w+(adr|num|nnz|ind)|body_(parentid|rootid|weldid|mocapid|treeid)'
    r'|(jnt|geom|site|cam|light|dof)_bodyid|dof_(jntid|parentid|treeid)|(jnt|sensor|plugin)_type'
    r'|sensor_dim|hfield_n\w+|tex_(height|width|nchannel)|(text|numeric|tuple)_size|flex_dim'
    r'|plugin|plugin_(data|attr)|names|paths|text_data|body_simple|\w+_sameframe|dof_simplenum'
)
"""Matches the arrays that define the structure of mjModel. A wrong value in these arrays can make
MuJoCo write to arbitrary memory."""


def is_read_only(field: Field) -> bool:
    """Returns whether users must not write an array: MuJoCo computes it, or does not check it."""
    if field.of_data:
        return field.name not in _INPUTS
    return _STRUCTURE.fullmatch(field.name) is not None


def outdated_by(field: Field) -> int:
    """Returns the first stage that must be computed again after a write to an array."""
    if field.of_data:
        return _INPUTS.get(field.name, CURRENT)
    return CURRENT if _LOOKS.fullmatch(field.name) else POSITIONS


def held_until(field: Field) -> int:
    """Returns the earliest stage that can be outdated while an array is valid.

    For example, an array that depends only on positions is valid while velocities are outdated.
    """
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
"""Maps an array of mjModel to the flags that its change invalidates. With a flag set, MuJoCo skips
computations."""
ALIGNED = 'body_ipos', 'body_iquat'
"""Arrays that must not change for a body with `body_simple` 1: mjModel has no room for the body's
full inertia matrix."""
_VELOCITIES_OF_SUBTREES = 'flg_subtreevel', mujoco.mj_subtreeVel
_FORCES_ON_BODIES = 'flg_rnepost', mujoco.mj_rnePostConstraint
ON_DEMAND: dict[str, tuple[str, Callable[..., Any]]] = {
    'subtree_linvel': _VELOCITIES_OF_SUBTREES,
    'subtree_angmom': _VELOCITIES_OF_SUBTREES,
    'cacc': _FORCES_ON_BODIES,
    'cfrc_int': _FORCES_ON_BODIES,
    'cfrc_ext': _FORCES_ON_BODIES,
}
"""Maps each array that MuJoCo computes only on demand to a field of mjData and a function. The
function computes the array, and sets the field to say that the array is up to date."""
