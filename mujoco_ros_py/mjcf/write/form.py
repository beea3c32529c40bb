"""Defines how models are written: the digits, the element names and the file names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..compose.attachment import AttachmentFrame
    from ..compose.keyframes.slots import Slots
    from ..compose.root import RootElement
    from ..tree.placed import Placed

SEPARATOR = '/'
"""The separator in prefixed names, after each model's name."""
WORLD = 'world'
"""MuJoCo's name for the worldbody."""
FileNames = Literal['hashed', 'plain', 'original', 'written', 'located']
"""The naming of files. `hashed` names contain a hash of the content and no folders. `plain` names
contain neither. `original` names are paths in the model's folder. If several contents share a
plain or original name, they get hashed names. `written` names are unchanged; the folders set in
<compiler> are then written too. `located` names are the paths where MuJoCo finds the files; files
that are only in memory get hashed names."""
Texts = list[tuple[str, str]]
"""The XML names and texts of an element's attributes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """How elements are written: the arguments of the writing methods, and caches."""

    precision: int = 17
    """The number of significant digits; 17 writes enough digits to restore the same number."""
    zero_threshold: float = 0.0
    """The magnitude below which numbers are written as 0."""
    filenames: FileNames = 'written'
    """The naming of files."""
    spliced: bool = False
    """Whether included files replace their includes; this changes the written names of files next
    to an included file."""
    lenient: bool = False
    """Whether invalid elements are written too, for error messages."""
    prefix_root: RootElement | None = None
    """The model whose names have no prefix; None writes names as in their own models."""
    name_all: bool = False
    """Whether unnamed elements get a name with their number."""
    apart: bool = False
    """Whether a model is written as if models were attached to it, even if none is."""
    as_kept: bool = False
    """Whether stored texts are written unchanged: no number or name needs a conversion."""
    _prefixes: dict[int, str] = field(default_factory=dict)
    _numbers: dict[int, dict[int, int]] = field(default_factory=dict)
    _copying: dict[int, list[str]] = field(default_factory=dict)

    @property
    def separate(self) -> bool:
        """Whether several models are written; the defaults of each are then a separate class."""
        root = self.prefix_root
        return root is not None and root._is_root and (self.apart or bool(root.frames))

    def global_class(self, model: RootElement) -> str:
        """Returns the class name for a model's global defaults, if defaults are separate."""
        return self.prefix(model) or SEPARATOR

    referred: set[int] = field(default_factory=set)
    """The ids of unnamed elements that are referenced and need a name."""
    _contents: dict[str, set[str]] = field(default_factory=dict)
    """The digests of the contents that claim each file name."""
    slots: dict[int, Slots] = field(default_factory=dict)
    """The positions of each model's numbers in keyframes, by the id of the written model."""
    weigh: dict[int, Callable[[Any, Texts, Form], Texts]] = field(default_factory=dict)
    """The functions that scale masses, by the id of the model. Each takes an element, its
    attributes and this form, and returns the attributes to write."""

    @property
    def exact(self) -> bool:
        """Whether numbers are written exactly."""
        return self.precision >= 17 and self.zero_threshold <= 0

    def prefix(self, model: RootElement) -> str:
        """Returns the prefix of the model's names.

        It consists of the names of the models between `prefix_root` and the model, and its own.
        """
        found = self._prefixes.get(id(model))
        if found is None:
            found = self._prefixes[id(model)] = self._make_prefix(model)
        return found

    def frame_name(self, frame: AttachmentFrame) -> str:
        """Returns the name of a frame: the prefix of all names in the attached model."""
        return f'{self.prefix(frame.root)}{frame.attachment.model}{SEPARATOR}'

    def unknown_name(self, model: RootElement, name: str) -> str:
        """Returns the name to write for an element that the model itself does not contain.

        MuJoCo can create this element. If it does so by copying a body of this model for
        <attach>, the prefix of <attach> is in front of the whole name.
        """
        prefix = self.prefix(model)
        if prefix:
            if id(model) not in self._copying:
                self._copying[id(model)] = _prefixes_of_copies(model)
            for each in self._copying[id(model)]:
                if name.startswith(each):
                    rest = name.removeprefix(each)
                    return f'{prefix}{each}{self.unknown_name(model, rest)}'
        return f'{prefix}{name}'

    def covers(self, model: RootElement) -> bool:
        """Returns whether a model is `prefix_root` or attached below it."""
        above: RootElement | None = model
        while above is not None and above is not self.prefix_root:
            above = above.parent_model
        return above is not None

    def unnamed(self, element: Placed) -> str:
        """Returns a name for an unnamed element, with its number among its kind in the model."""
        model, kind = element.root, element.spec.namespace or ''
        numbers = self._numbers.get(id(model))
        if numbers is None:
            numbers = self._numbers[id(model)] = _numbers(model)
        self.referred.add(id(element))
        prefix = self.prefix(model) or SEPARATOR
        # <replicate> appends numbers to names; the last `_` keeps the results unique.
        return f'{prefix}{SEPARATOR}unnamed_{kind}_{numbers[id(element)]}_'

    def _make_prefix(self, model: RootElement) -> str:
        if self.prefix_root is None or model is self.prefix_root or not model._is_root:
            return ''  # removed elements have no prefix either
        parent = model.parent_model
        if parent is None:
            return ''
        return f'{self.prefix(parent)}{model.model}{SEPARATOR}'


def _prefixes_of_copies(model: RootElement) -> list[str]:
    """Returns the prefixes that <attach> gives to copies of this model's bodies, longest first."""
    found = {
        each._values['prefix']
        for each in (model.walk() if model._is_root else ())
        if each.tag == 'attach' and not each._values.get('model') and each._values.get('prefix')
    }
    return sorted(found, key=len, reverse=True)


def _numbers(model: RootElement) -> dict[int, int]:
    counts: dict[str, int] = {}
    numbers = {}
    for element in model.walk():
        kind = element.spec.namespace
        if kind and element is not model:
            numbers[id(element)] = counts.get(kind, 0)
            counts[kind] = numbers[id(element)] + 1
    return numbers
