"""Writes the stub of `elements`, with a class for each element, for editors and type checkers."""

from collections.abc import Iterator

from ..class_names import FRAME, ROOT, class_names, kinds, unions
from ..specs import ElementSpec
from .code_lines import method, overloads, union
from .hints import Hints, one_of
from .stub_class import StubClass

_HEAD = '''\
"""The classes of MJCF elements in MuJoCo {version}, written by `generate`; do not edit it."""

# mypy: disable-error-code="assignment, misc, override, overload-overlap"
# An Element allows checkers any attribute; its subclasses allow only their own.

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict, overload

from typing_extensions import Never, Unpack

from .compose.attachment import AttachmentFrame as AttachmentFrame
from .compose.attachment_points import Attachable, AttachList
from .compose.root import RootElement
from .files.assets import Asset as _File
from .tree.element import Element
from .tree.typed import (
    Attribute,
    Child,
    Children,
    FloatLike,
    Floats,
    FloatsLike,
    IntLike,
    Ints,
    IntsLike,
    Required,
)

Mujoco: TypeAlias = RootElement
'''
_OF_FRAME = 'joint', 'freejoint', 'inertial'


def stub_text(root: ElementSpec, version: str) -> str:
    """Returns the text of the stub."""
    names = class_names(root)
    hints = Hints(names)
    lines = [_HEAD.format(version=version)]
    for name, classes in sorted(unions(names).items()):
        lines += union(name, classes)
    lines += ['', *hints.aliases(), *_base(kinds(names))]
    for each in _classes(names, hints):
        lines += each.lines()
    return '\n'.join(lines) + '\n'


def _base(found: dict[str, list[str]]) -> Iterator[str]:
    """Yields the lines of the base class of all elements."""
    yield from ('', 'class _Element(Element):')
    yield from ('    __getattr__: None', '    __setattr__: None')
    for name, position in (('add', []), ('insert', ['position: int | None'])):
        yield from method(name, ['element_name: Never', *position, '**attributes: Any'], 'Any')
    one = {namespace: one_of(namespace, classes) for namespace, classes in found.items()}
    one |= {'body': 'Body', 'attachment_frame': FRAME}
    yield from overloads('find', _finds(one))
    yield from overloads('find_all', _finds_all({**one, 'body': f'Body | {FRAME}'}))


def _finds(found: dict[str, str]) -> Iterator[tuple[list[str], str]]:
    yield ["namespace: Literal['body']", "identifier: Literal['world']"], 'Worldbody'
    for namespace, gives in found.items():
        yield [f'namespace: Literal[{namespace!r}]', 'identifier: str'], f'{gives} | None'
    yield ['namespace: str', 'identifier: str'], 'Any'


def _finds_all(found: dict[str, str]) -> Iterator[tuple[list[str], str]]:
    more = ['immediate_children_only: bool = False', 'exclude_attachments: bool = False']
    for namespace, gives in found.items():
        yield [f'namespace: Literal[{namespace!r}]', *more], f'list[{gives}]'
    yield ['namespace: str', *more], 'list[Any]'


def _classes(names: dict[str, ElementSpec], hints: Hints) -> Iterator[StubClass]:
    frame = _frame(names['Body'])
    shown = {spec: name for name, spec in names.items()}
    shown |= {names[ROOT]: 'RootElement', frame: FRAME}
    inside: dict[ElementSpec, list[str]] = {}
    for parent, name in shown.items():
        for child in parent.children.values():
            inside.setdefault(child, []).append(name)
    inside[frame] = inside[names['Body']]
    private = {f'_{ROOT}': names[ROOT], f'_{FRAME}': frame}
    public = {name: spec for name, spec in names.items() if name != ROOT}
    for name, spec in {**private, **public}.items():
        yield StubClass(name, spec, inside.get(spec, []), shown, hints)


def _frame(body: ElementSpec) -> ElementSpec:
    """Returns the spec of the body by which a model is attached; its name is the model's."""
    attributes = {key: spec for key, spec in body.attributes.items() if key != 'name'}
    children = {tag: body.children[tag] for tag in _OF_FRAME}
    return ElementSpec('body', attributes=attributes, children=children)
