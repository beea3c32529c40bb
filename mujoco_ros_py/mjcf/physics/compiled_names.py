"""Compiles a model, and records the names of its elements in the compiled model."""

from __future__ import annotations

import re

import mujoco

from ...errors import MjcfError
from ...mujoco_log import forward_warnings, told_once
from ..compose.root import RootElement
from ..tree.element import Element
from ..write.form import Form
from ..write.writer import write
from .memory import Names
from .rows import KINDS

_BY_TAG = {'worldbody': 'body', 'flexcomp': 'flex'}
_LINE = re.compile(r'line (\d+)')


def kind_of(element: Element) -> str | None:
    """Returns MuJoCo's kind of an element, or None if MuJoCo has no such kind."""
    kind = _BY_TAG.get(element.tag) or element.spec.namespace
    if kind == 'body':
        return kind  # frames and the world have no name attribute
    kind = kind if kind in KINDS else element.tag
    return kind if kind in KINDS and element._key == 'name' else None


def compile_model(root: RootElement) -> tuple[mujoco.MjModel, Names]:
    """Compiles a model with its attached models; also returns the names of all elements.

    Raises MjcfError, with the element's line if MuJoCo reports it, and TypeError if `root` is not
    a model.
    """
    if not isinstance(root, RootElement):
        raise TypeError(f'the model must be a RootElement, got {type(root).__name__}')
    form = Form(filenames='hashed', prefix_root=root, name_all=True)
    xml = write(root, form)
    forward_warnings()
    try:
        model = mujoco.MjModel.from_xml_string(xml, root.get_assets())
    except (ValueError, mujoco.FatalError) as error:
        raise MjcfError(_with_element(told_once(error), xml)) from None
    return model, _names(root, form)


def _with_element(message: str, xml: str) -> str:
    found = _LINE.search(message)
    lines = xml.splitlines()
    if found is None or not 0 < int(found[1]) <= len(lines):
        return message
    return f'{message}\n{lines[int(found[1]) - 1].strip()}'


def _names(root: RootElement, form: Form) -> Names:
    names: dict[Element, str] = {}
    for model in (root, *root.attachments_below()):
        for element in model.walk():
            if kind_of(element) is not None:
                names[element] = str(element._identifier(form))
    return names


def name_now(element: Element) -> str:
    """Returns the name that the element would have if its topmost model were compiled now."""
    root = element.root
    return str(element._identifier(Form(prefix_root=root.root_model if root._is_root else root)))
