"""The form in which models are written: digits, names of elements and names of files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..compose.attachment import AttachmentFrame
    from ..compose.keyframes.slots import Slots
    from ..compose.root import RootElement
    from ..tree.node import Node

SEPARATOR = '/'
"""What stands between the names of attached models and the name of an element."""
WORLD = 'world'
"""The name that MuJoCo gives the worldbody."""
FileNames = Literal['hashed', 'plain', 'original', 'written']
"""How files are called. `hashed`: with a hash of the content, without folders. `plain`: without
both. `original`: by the path below the model's folder. Where a plain or original name stands for
several contents, these files are hashed. `written`: as the model has it, beside the folders of
`compiler`."""
Texts = list[tuple[str, str]]
"""The attributes of an element as they are in XML: their names and their values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """The form in which elements are written, made of what the methods that write take."""

    precision: int = 17
    """How many digits a number has; 17: as many as bring back the same number, and no more."""
    zero_threshold: float = 0.0
    """Numbers whose magnitude is less than this are written as 0."""
    filenames: FileNames = 'written'
    """What files are called."""
    lenient: bool = False
    """Whether what breaks a rule is written all the same, as messages do."""
    prefix_root: RootElement | None = None
    """The model whose names have no prefix; None: every name is as in its own model."""
    name_all: bool = False
    """Whether elements that have no name get one that tells their number."""
    as_kept: bool = False
    """Whether all that is written is of one model, so that texts are written as they are kept."""
    _prefixes: dict[int, str] = field(default_factory=dict)
    _numbers: dict[int, dict[int, int]] = field(default_factory=dict)
    _copying: dict[int, list[str]] = field(default_factory=dict)

    @property
    def separate(self) -> bool:
        """Whether several models are written, whose defaults have to be kept apart."""
        root = self.prefix_root
        return root is not None and root._is_root and bool(root.frames)

    def global_class(self, model: RootElement) -> str:
        """The class of the defaults that hold for all of a model, where they are kept apart."""
        return self.prefix(model) or SEPARATOR

    referred: set[int] = field(default_factory=set)
    """The identities of elements without a name that others refer to, and that need one."""
    _contents: dict[str, set[str]] = field(default_factory=dict)
    """The contents of files, by the names that they would have."""
    slots: dict[int, Slots] = field(default_factory=dict)
    """The places of numbers of models whose keys are written, by the identities of the models."""
    weigh: dict[int, Callable[[Any, Texts, Form], Texts]] = field(default_factory=dict)
    """Functions that give the attributes of elements other masses, by the identity of the model.
    Each takes an element, its attributes and this form."""

    @property
    def exact(self) -> bool:
        """Whether numbers are written as they are."""
        return self.precision >= 17 and self.zero_threshold <= 0

    def prefix(self, model: RootElement) -> str:
        """What is before each name of the model: the names of models up to `prefix_root`."""
        found = self._prefixes.get(id(model))
        if found is None:
            found = self._prefixes[id(model)] = self._make_prefix(model)
        return found

    def frame_name(self, frame: AttachmentFrame) -> str:
        """What a frame is called: the prefix that all names of the attached model have."""
        return f'{self.prefix(frame.root)}{frame.attachment.model}{SEPARATOR}'

    def unknown_name(self, model: RootElement, name: str) -> str:
        """The name as it is written of something that the model lacks and MuJoCo may make.

        <attach> of a body of the model itself puts its prefix before the whole name.
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
        """Whether a model is `prefix_root`, or attached below it."""
        above: RootElement | None = model
        while above is not None and above is not self.prefix_root:
            above = above.parent_model
        return above is not None

    def unnamed(self, element: Node) -> str:
        """A name for one that has none: it tells which of its kind it is in its model."""
        model, kind = element.root, element.spec.namespace or ''
        numbers = self._numbers.get(id(model))
        if numbers is None:
            numbers = self._numbers[id(model)] = _numbers(model)
        self.referred.add(id(element))
        prefix = self.prefix(model) or SEPARATOR
        # none is the beginning of another one: <replicate> puts numbers behind names
        return f'{prefix}{SEPARATOR}unnamed_{kind}_{numbers[id(element)]}_'

    def _make_prefix(self, model: RootElement) -> str:
        if self.prefix_root is None or model is self.prefix_root or not model._is_root:
            return ''  # no prefix either for what was removed
        parent = model.parent_model
        if parent is None:
            return ''
        return f'{self.prefix(parent)}{model.model}{SEPARATOR}'


def _prefixes_of_copies(model: RootElement) -> list[str]:
    """The prefixes that <attach> gives copies of bodies of the model itself, the longest first."""
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
