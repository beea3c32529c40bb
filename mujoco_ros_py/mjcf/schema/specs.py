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
"""Elements on which MuJoCo ignores unknown attributes."""


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """The values accepted by an attribute, according to MuJoCo's parser."""

    name: str
    """The XML name of the attribute: `class`, not `dclass`."""
    kind: Kind
    """The kind of value; `keywords` and `references` are several words separated by spaces."""
    low: int = 1
    """The minimum count of numbers."""
    high: int | None = 1
    """The maximum count of numbers; None if unlimited."""
    keywords: tuple[str, ...] = ()
    """The accepted keywords in the order of MuJoCo's reference, including `false` and `true`."""
    namespace: str | None = None
    """The scope of a unique identifier, or the namespace of a reference. It is `attribute:objtype`
    if the element's attribute objtype names the namespace (where `xbody` means body). For a file:
    the compiler attribute with the file's folder, or None for the model's folder."""
    default: str | None = None
    """The default in the reference; None if it has no default or if the default depends on the
    model."""
    required: bool = False

    @property
    def is_array(self) -> bool:
        """Whether the value is an array of numbers."""
        return self.high != 1


@dataclass(frozen=True, slots=True, eq=False)
class ElementSpec:
    """The attributes and children of an element. Recursive elements contain themselves."""

    name: str
    """The tag of the element."""
    namespace: str | None = None
    """The namespace for `find` and `find_all`: `joint` for a freejoint, None for an unnamed
    element. The identifier can be unique in a smaller or larger scope: pair and exclude are both
    in `contact`, but can have the same name."""
    repeated: bool = False
    """Whether a parent can contain the element more than once."""
    on_demand: bool = False
    """Whether the element occurs at most once, and must be added explicitly."""
    attributes: dict[str, AttributeSpec] = field(default_factory=dict, repr=False)
    """The attributes by name, in the order of MuJoCo's schema."""
    children: dict[str, 'ElementSpec'] = field(default_factory=dict, repr=False)
    """The children by tag, in the order of MuJoCo's schema."""

    @property
    def identifier(self) -> str | None:
        """The attribute that names the element: `name`, `class` for a default, or None."""
        return next((a.name for a in self.attributes.values() if a.kind == 'identifier'), None)
