from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    'string',
    'int',
    'real',
    'keyword',
    'keywords',
    'identifier',
    'reference',
    'references',
    'file',
    'path',
]

LENIENT = 'frame', 'replicate'
"""Elements of which MuJoCo ignores attributes that it does not know."""


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """What an attribute takes, as MuJoCo's parser has it."""

    name: str
    """The name in XML: `class`, not `dclass`."""
    kind: Kind
    """What it takes; `keywords` and `references` are several words, with spaces between."""
    low: int = 1
    """How many numbers there have to be at least."""
    high: int | None = 1
    """How many numbers there may be at most; None: any number."""
    keywords: tuple[str, ...] = ()
    """The words that it takes, in the order of MuJoCo's reference; also `false` and `true`."""
    namespace: str | None = None
    """What an identifier is unique in, and what a reference points to: `attribute:objtype` if the
    attribute objtype says so (its `xbody` means body). For a file it is the attribute of compiler
    that has its directory; None: it is in that of the model."""
    default: str | None = None
    """The default as the reference has it; None: there is none, or it depends on the model."""
    required: bool = False

    @property
    def is_array(self) -> bool:
        """Numbers rather than one number; false for all that is no number."""
        return self.high != 1


@dataclass(frozen=True, slots=True, eq=False)
class ElementSpec:
    """What an element takes; where MJCF is recursive, specs contain themselves."""

    name: str
    """The tag."""
    namespace: str | None = None
    """What `find` and `find_all` know the element by: `joint` for a freejoint; None: it has no
    identifier. That can be unique in a smaller or a larger one: pair and exclude are both of
    `contact`, yet may have the same name."""
    repeated: bool = False
    """Whether it may occur more than once in its parent."""
    on_demand: bool = False
    """Whether it occurs once at most, and is not there until it is added."""
    attributes: dict[str, AttributeSpec] = field(default_factory=dict, repr=False)
    """The attributes by name, in the order of MuJoCo's schema."""
    children: dict[str, 'ElementSpec'] = field(default_factory=dict, repr=False)
    """The children by tag, in the order of MuJoCo's schema."""

    @property
    def identifier(self) -> str | None:
        """The attribute that names the element, if one does: `name`, of a default `class`."""
        return next((a.name for a in self.attributes.values() if a.kind == 'identifier'), None)
