"""Finds where the numbers of each attached model are in the composed model's state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....errors import MjcfError
from ...files.export import contents_by_name
from ...write.form import Form
from ...write.writer import write
from .numbering import numbering
from .owners import VECTORS, Owners, filled

if TYPE_CHECKING:
    from ..root import RootElement

Places = NDArray[np.intp]


class Slots:
    """The places of the numbers of a model and its attached models in the compiled state.

    The places are known only after compilation, because MuJoCo itself adds joints from defaults,
    replicates, composites and plugin activations. Raises MjcfError if the model does not compile.
    """

    def __init__(self, model: RootElement, sections: Sequence[object]) -> None:
        self._top = model
        models = [model, *model.attachments_below()]
        form = numbering(models)
        frames = [frame for each in models for frame in each.frames.values()]
        shared = {frame.body_identifier(form) for frame in frames}
        self._compiled = _compiled(_Sections(model, sections), form)
        self._owned = Owners(self._compiled, shared - {form.frame_name(each) for each in frames})
        self._owners: dict[str, NDArray[np.int64]] = {}
        self._numbers = {id(each): number for number, each in enumerate(models)}

    def default(self, vector: str) -> NDArray[np.float64]:
        """Returns the default value of a vector."""
        find, _ = VECTORS[vector]
        return np.array(find(self._compiled))

    def copies(self, model: RootElement) -> int:
        """Returns the number of copies that <replicate> makes of a model."""
        counts: list[int] = []
        above: Any = model
        while above is not self._top:
            above = above._parent if above._parent is not None else above.frame
            if above.tag == 'replicate':
                counts.append(above.count)
        return prod(counts)

    def of(self, model: RootElement, vector: str) -> Iterator[Places]:
        """Yields three arrays of indices into a vector, each with more numbers of the model.

        The first array has only the model's own numbers. The second also has the joints of its
        attachment frames, and the third also has the numbers of all its attached models.
        """
        owners = self._owners_of(vector)
        first, below = 2 * self._numbers[id(model)], len(list(model.attachments_below()))
        for count in (1, 2, 2 + 2 * below):
            yield np.flatnonzero((first <= owners) & (owners < first + count))

    def _owners_of(self, vector: str) -> NDArray[np.int64]:
        if vector not in self._owners:
            find, begins = VECTORS[vector]
            size = len(find(self._compiled))
            self._owners[vector] = filled(begins(self._compiled, self._owned), size)
        return self._owners[vector]


class _Sections:
    """The root of a model with only these sections, compiled to find the places."""

    tag = 'mujoco'
    _always = True

    def __init__(self, model: RootElement, sections: Sequence[object]) -> None:
        self._model = model
        self._sections = sections

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return self._model._texts(form)

    def _written_children(self, form: Form) -> Sequence[Any]:
        return self._sections


def _compiled(root: Any, form: Form) -> mujoco.MjModel:
    model = form.prefix_root
    assert model is not None
    try:
        return _compile(root, model, form)
    except ValueError as error:
        reason = error
    try:  # compile again, for an error with the names that the user knows
        _compile(root, model, Form(filenames='hashed', prefix_root=model))
    except ValueError as error:
        reason = error
    raise MjcfError(
        f'model {model.model!r} has attached models and keys. Placing the numbers of the keys'
        f' requires a compiled model, but compilation failed: {reason}'
    )


def _compile(root: Any, model: RootElement, form: Form) -> mujoco.MjModel:
    text = write(root, form)
    return mujoco.MjModel.from_xml_string(text, contents_by_name(model, form))
