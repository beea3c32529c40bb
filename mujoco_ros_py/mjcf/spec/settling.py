"""Makes a model independent of its compiler settings.

MuJoCo applies most compiler settings to everything that it compiles together: `settotalmass`
scales all masses in the file, `discardvisual` drops geoms of all models. Before a model is
composed with others, the effects of its settings are therefore written into its elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from ...errors import MjcfError
from ...mujoco_log import told_once
from ..compose.actuator_defaults import check_actuators
from ..files.export import contents_by_name
from ..read.models import from_xml_string
from ..schema.alternatives import ORIENTATIONS
from ..tree.inheritance import inherited
from ..write.form import Form
from ..write.writer import write
from .all_digits import all_digits
from .compiled_differences import differences

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

_OF_MASSES = {
    'settotalmass': -1, 'boundmass': 0, 'boundinertia': 0, 'balanceinertia': 'false',
    'inertiafromgeom': 'auto', 'inertiagrouprange': (0, 5),
}  # fmt: skip
"""Settings that affect masses and inertias, with the values that have no effect."""
_OF_SHAPES = {'fitaabb': 'false', 'discardvisual': 'false', 'fusestatic': 'false'}
"""Settings that change, drop or merge elements, with the values that have no effect."""
_OF_FILES = 'assetdir', 'meshdir', 'texturedir', 'strippath'
"""Settings for the folders of a model's files."""
_BY_MUJOCO = 'attach', 'flexcomp'
"""Elements that MuJoCo expands to bodies."""
_OF_HINGES = 'range', 'ref', 'springref'
_MUSCLE = 'muscle'
_RADIANS = math.pi / 180


def settled(model: RootElement) -> RootElement:
    """Returns a copy of a model that keeps its meaning if it is composed with other models.

    The model must not have attached models. All angles of the copy are in radians. Its masses,
    inertias and length ranges are the compiler's results for the model alone. If elements cannot
    express a setting, the copy is MuJoCo's output for the compiled model. Raises MjcfError if the
    model does not compile.
    """
    made = copy(model)
    said = _effective(made)
    if _needs_mujoco(made, said):
        return expanded(made)
    in_radians(made)
    if not (said or _has_muscles(made)):
        return _cleared(made)
    before = compiled(made)
    if any(key in _OF_MASSES for key in said):
        _say_masses(made)
    if said.get('alignfree') == 'true':
        _say_alignment(made)
    _say_length_ranges(made, before)
    _cleared(made)
    return made if not differences(before, compiled(made), 0) else expanded(copy(model))


def _effective(model: RootElement) -> dict[str, Any]:
    """Returns the compiler settings with an effect that would spread to other models in a file."""
    usual: dict[str, Any] = {**_OF_MASSES, **_OF_SHAPES, 'alignfree': 'false'}
    compiler = model.compiler
    said = {key: getattr(compiler, key) for key in usual if key in compiler._values}
    found = {key: value for key, value in said.items() if not np.array_equal(value, usual[key])}
    if compiler._children:
        found['lengthrange'] = compiler._children[0]
    return found


def _needs_mujoco(model: RootElement, said: dict[str, Any]) -> bool:
    """Returns whether only MuJoCo can convert the compiler settings to elements."""
    if any(key in said for key in _OF_SHAPES):
        return True
    turned = (model.compiler.eulerseq or 'xyz') != 'xyz'
    degrees = model.compiler.angle != 'radian'
    try:
        check_actuators(model)
    except ValueError:
        return True
    for element in model.walk():
        if turned and 'euler' in element._values:
            return True
        if element.tag in _BY_MUJOCO and any(key in _OF_MASSES for key in said):
            return True
        if degrees and _turns_step_by_step(element):
            return True
    return False


def _turns_step_by_step(element: Element) -> bool:
    """Returns whether MuJoCo adds up angles of the element; their unit then affects rounding."""
    return element.tag == 'replicate' and 'euler' in element._values


def in_radians(model: RootElement) -> None:
    """Converts the angles of a model to radians, bit-identical to MuJoCo's conversion.

    Joints then set their inherited values themselves: if a hinge and a slide joint share a class,
    its numbers are angles for only one of them.
    """
    if model.compiler.angle == 'radian':
        return
    joints = [each for each in model.worldbody.walk() if each.tag == 'joint']
    for joint, values in [(each, _angles(each)) for each in joints]:
        joint.set_attributes(**values)
    for element in model.walk():
        if 'euler' in element._values:
            element.euler = element.euler / 180 * math.pi
        if 'axisangle' in element._values:
            x, y, z, angle = element.axisangle
            element.axisangle = [x, y, z, angle / 180 * math.pi]
    model.compiler.angle = 'radian'


def _angles(joint: Element) -> dict[str, Any]:
    """Returns the numbers of a joint that can be angles; converts actual angles to radians."""
    said = {**inherited(joint), **joint.get_attributes()}
    kind = said.get('type', 'hinge')
    values = {key: said[key] for key in _OF_HINGES if key in said}
    for key, value in values.items():
        if kind == 'hinge' or (kind == 'ball' and key == 'range'):
            free = key == 'range' and said.get('limited') == 'false'  # MuJoCo keeps degrees
            values[key] = value if free else value * _RADIANS
    return values


def _cleared(model: RootElement) -> RootElement:
    """Removes the compiler settings that the model's elements now express."""
    compiler = model.compiler
    compiler._children.clear()
    for key in [each for each in compiler._values if each not in _OF_FILES]:
        del compiler._values[key]
    compiler.angle = 'radian'
    return model


def _say_masses(model: RootElement) -> None:
    """Sets the mass and inertia of each body to the values in the compiled model."""
    form = Form(filenames='located', prefix_root=model, name_all=True)
    alone = compiled(model, form)
    names = [alone.body(body).name for body in range(alone.nbody)]
    for element in [each for each in model.worldbody.walk() if each.tag == 'body']:
        body = _index(names, str(element._identifier(form)))
        inertial = element.inertial or element.insert('inertial', 0, pos=[0, 0, 0], mass=0)
        for key in ('fullinertia', *ORIENTATIONS):
            inertial._values.pop(key, None)
        inertial.set_attributes(
            pos=alone.body_ipos[body],
            quat=alone.body_iquat[body],
            mass=alone.body_mass[body],
            diaginertia=alone.body_inertia[body],
        )


def _index(names: list[str], name: str) -> int:
    """Returns the first body with a name; <replicate> may have appended a number."""
    if name in names:
        return names.index(name)
    return next(body for body, each in enumerate(names) if each.startswith(name))


def _say_alignment(model: RootElement) -> None:
    """Makes the free joints of a model align their bodies, like `alignfree`."""
    for joint in model.worldbody.walk():
        free = joint.tag == 'freejoint' or (joint.tag == 'joint' and joint.type == 'free')
        if free and joint.align in (None, 'auto'):
            joint.align = 'true'


def _has_muscles(model: RootElement) -> bool:
    return any(
        each.tag == _MUSCLE
        or _MUSCLE in (each._values.get('gaintype'), each._values.get('biastype'))
        for each in _actuators(model)
    )


def _say_length_ranges(model: RootElement, alone: mujoco.MjModel) -> None:
    """Sets the actuators' length ranges to the compiler's results."""
    actuators = list(model.actuator._children)
    if len(actuators) != alone.nu:
        return
    for actuator, (low, high) in zip(actuators, alone.actuator_lengthrange, strict=True):
        if low < high and 'lengthrange' in actuator._attributes:
            actuator.lengthrange = [low, high]


def _actuators(model: RootElement) -> Iterator[Element]:
    tags = model.actuator._types
    return (each for each in model.walk() if each.tag in tags)


def expanded(model: RootElement) -> RootElement:
    """Returns MuJoCo's output for a compiled model, with an element for each body.

    It is equal up to rounding. Raises MjcfError if the model does not compile, or if MuJoCo writes
    a different model.
    """
    form = Form(filenames='located', prefix_root=model)
    try:
        files = contents_by_name(model, form)
        spec = mujoco.MjSpec.from_string(write(model, form), assets=files)
        made_of = spec.compile()
        spec.compiler.saveinertial = True
        with all_digits():
            text = spec.to_xml()
    except (ValueError, mujoco.FatalError) as error:
        raise _fails(model, error) from error
    made = _cleared(from_xml_string(text, model_dir=model.model_dir, assets=files))
    if different := differences(made_of, compiled(made)):
        raise MjcfError(
            f'model {model.model!r}: its compiler settings cannot be expressed by elements:'
            f' the model that MuJoCo writes differs in {", ".join(different)}'
        )
    return made


def compiled(model: RootElement, form: Form | None = None) -> mujoco.MjModel:
    """Compiles a model, by default with its own names. Raises MjcfError with MuJoCo's message."""
    form = form or Form(filenames='located', prefix_root=model)
    try:
        return mujoco.MjModel.from_xml_string(write(model, form), contents_by_name(model, form))
    except ValueError as error:
        raise _fails(model, error) from error


def _fails(model: RootElement, error: Exception) -> MjcfError:
    return MjcfError(f'model {model.model!r} does not compile: {told_once(error)}')
