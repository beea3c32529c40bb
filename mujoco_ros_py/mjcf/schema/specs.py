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
"""The elements on which MuJoCo ignores unknown attributes."""


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """The values that an attribute accepts, according to MuJoCo's parser."""

    name: str
    """The XML name of the attribute: `class`, not `dclass`."""
    kind: Kind
    """The kind of value; `keywords` and `references` are several words separated by spaces."""
    low: int = 1
    """The minimum number of numbers."""
    high: int | None = 1
    """The maximum number of numbers; None if it is unlimited."""
    keywords: tuple[str, ...] = ()
    """The accepted keywords in the order of MuJoCo's reference, including `false` and `true`."""
    namespace: str | None = None
    """The scope in which an identifier is unique, or the namespace that a reference points to. It
    is `attribute:objtype` if the attribute objtype tells it (its `xbody` means body). For a file
    it is the attribute of compiler that sets the file's folder; None is the model's folder."""
    default: str | None = None
    """The default in the reference; None if there is none or if it depends on the model."""
    required: bool = False

    @property
    def is_array(self) -> bool:
        """Whether the value is an array of numbers; false for anything but numbers."""
        return self.high != 1


@dataclass(frozen=True, slots=True, eq=False)
class ElementSpec:
    """The attributes and children of an element; recursive elements contain themselves."""

    name: str
    """The tag of the element."""
    namespace: str | None = None
    """The namespace in which `find` and `find_all` look the element up: `joint` for a freejoint,
    and None if it has no identifier. The identifier can be unique in a smaller or a larger scope:
    pair and exclude are both of `contact`, yet may have the same name."""
    repeated: bool = False
    """Whether the element may occur more than once in its parent."""
    on_demand: bool = False
    """Whether the element occurs at most once, and does not exist until it is added."""
    attributes: dict[str, AttributeSpec] = field(default_factory=dict, repr=False)
    """The attributes by name, in the order of MuJoCo's schema."""
    children: dict[str, 'ElementSpec'] = field(default_factory=dict, repr=False)
    """The children by tag, in the order of MuJoCo's schema."""

    @property
    def identifier(self) -> str | None:
        """The attribute that names the element: `name`, `class` of a default, or None."""
        return next((a.name for a in self.attributes.values() if a.kind == 'identifier'), None)
