"""Converts MuJoCo's specs (MjSpec) to models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import mujoco

from ...errors import MjcfError
from ...mujoco_log import told_once
from ..attributes.numbers import Number
from ..read.models import from_xml_string
from ..write.form import Form
from ..write.writer import write
from .all_digits import all_digits
from .compiled_differences import differences

if TYPE_CHECKING:
    from ..compose.root import RootElement


_REFERRING = (
    'actuators', 'equalities', 'excludes', 'pairs', 'sensors', 'skins', 'tendons', 'tuples',
)  # fmt: skip
"""Kinds of elements that MuJoCo silently drops from a copy if they refer to missing elements."""


def from_spec(spec: mujoco.MjSpec, assets: Mapping[str, bytes] | None = None) -> RootElement:
    """Converts a spec to a model; the spec is not changed.

    `assets` adds files that are neither in the spec's assets nor in its folder. Raises OSError for
    missing files, and MjcfError if the spec does not compile, if MuJoCo cannot write it, or if
    MuJoCo writes a different model.
    """
    compiled, text = _written(spec)
    files = {**spec.assets, **(assets or {})}
    model = from_xml_string(text, model_dir=spec.modelfiledir, assets=files)
    _shorten(model)
    model = from_xml_string(write(model, Form()), model_dir=spec.modelfiledir, assets=files)
    again = mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())
    if different := differences(compiled, again):
        raise MjcfError(
            f'MuJoCo writes spec {spec.modelname!r} as a different model; the differences are in'
            f' {", ".join(different)}'
        )
    return model


def _written(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, str]:
    copy = _whole_copy(spec)
    try:
        compiled = copy.compile()
    except ValueError as error:
        raise MjcfError(f'spec {spec.modelname!r} does not compile: {told_once(error)}') from None
    try:
        with all_digits():
            return compiled, copy.to_xml()
    except mujoco.FatalError as error:
        raise MjcfError(f'MuJoCo cannot write spec {spec.modelname!r}: {error}') from None


def _whole_copy(spec: mujoco.MjSpec) -> mujoco.MjSpec:
    copy = spec.copy()
    for kind in _REFERRING:
        every, kept = ([each.name for each in getattr(one, kind)] for one in (spec, copy))
        if len(kept) < len(every):
            lost = [name for name in every if name and name not in kept]
            raise MjcfError(
                f'spec {spec.modelname!r} does not compile: some of its {kind} refer to missing'
                f' elements: {", ".join(lost) or "an unnamed one"}'
            )
    return copy


def _shorten(model: RootElement) -> None:
    """Parses number texts; 0.3 is then written instead of 0.29999999999999999."""
    for element in model.walk():
        for key, kept in list(element._values.items()):
            attribute = element._attributes[key]
            if isinstance(attribute, Number):
                element._values[key] = attribute.value(element, kept)
