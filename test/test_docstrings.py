import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ('mujoco_ros_py', 'examples', 'interfaces', 'benchmarks', 'launch')
SOURCES = sorted(path for place in PLACES for path in (ROOT / place).rglob('*.py'))
EXEMPT = {'examples', 'launch'}
"""The folders whose functions need no docstrings, as the pages that show them explain them."""
DEPENDENT = (
    *('also', 'and', 'as above', 'as before', 'but', 'ditto', 'either', 'else', 'it'),
    *('its', 'likewise', 'no more', 'nor', 'of', 'or', 'otherwise', 'same', 'see above', 'so'),
    *('such', 'that', 'the others', 'the rest', 'the same', 'them', 'then', 'these', 'they'),
    *('this', 'those', 'too', 'which'),
)
"""The words at the beginning of a docstring that refer to something outside of it."""
_DEPENDS = re.compile(rf'({"|".join(DEPENDENT)})\b(?! (package|module|folder))', re.IGNORECASE)
_SENTENCE = re.compile(r'.+?[.?!](?=\s|$)', re.DOTALL)
_CODE = re.compile(r'\n\n {4,}\S[^\n]*(\n {4,}[^\n]*)*\s*$')
"""An example at the end of a docstring."""
_LEAST_WORDS = 3
_NO_OP = 'Does nothing.'


def fault(text: str) -> str:
    """Returns what is wrong with a docstring; empty if nothing is."""
    sentence = _SENTENCE.match(text.strip())
    if _DEPENDS.match(text.strip()):
        return 'begins with a word that refers to something outside of it'
    if sentence is None or not (text.rstrip().endswith('.') or _CODE.search(text)):
        return 'does not end with a full stop'
    if text.strip() != _NO_OP and len(sentence[0].split()) < _LEAST_WORDS:
        return f'has a first sentence of less than {_LEAST_WORDS} words'
    return ''


def described(node: ast.AST, name: str = '') -> Iterator[tuple[int, str, str | None]]:
    """Yields line, name and docstring of a module or class and of all that is public in it."""
    body = getattr(node, 'body', [])
    for before, each in zip([None, *body], body, strict=False):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f'{name}.{each.name}'.lstrip('.')
            if not each.name.startswith('_') and not _repeats(each):
                yield each.lineno, inner, ast.get_docstring(each)
            if isinstance(each, ast.ClassDef) and not each.name.startswith('_'):
                yield from described(each, inner)
        elif isinstance(before, ast.Assign | ast.AnnAssign) and _text(each) is not None:
            yield each.lineno, ast.unparse(before).partition('=')[0].strip(), _text(each)


def _repeats(node: ast.AST) -> bool:
    """Returns whether the function is an overload or a setter of what is described already."""
    named = [ast.unparse(each) for each in getattr(node, 'decorator_list', [])]
    return any(each.endswith(('overload', '.setter')) for each in named)


def _text(node: ast.AST) -> str | None:
    found = node.value if isinstance(node, ast.Expr) else None
    text = found.value if isinstance(found, ast.Constant) else None
    return text if isinstance(text, str) else None


def faults(path: Path) -> Iterator[str]:
    """Yields a line for each docstring of a file that does not stand alone."""
    place = path.relative_to(ROOT)
    tree = ast.parse(path.read_text())
    found = [(1, 'the module', text)] if (text := ast.get_docstring(tree)) else []
    for line, name, docstring in [*found, *described(tree)]:
        if docstring is None:
            reason = '' if place.parts[0] in EXEMPT else 'has no docstring'
        else:
            reason = fault(docstring)
        if reason:
            yield f'{place}:{line}: {name} {reason}'


@pytest.mark.parametrize('place', PLACES)
def test_every_public_docstring_stands_alone(place: str) -> None:
    sources = [path for path in SOURCES if path.relative_to(ROOT).parts[0] == place]
    assert sources
    found = [line for path in sources for line in faults(path)]
    assert not found, '\n'.join(found)


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('Returns the mass of a body in kg.', ''),
        ('The mass of a body, in kg.\n\nRaises ValueError for an unknown body.', ''),
        ('Runs a model on a thread.\n\n    with Session() as session:\n        step()', ''),
        ('Does nothing.', ''),
        ('Likewise.', 'begins with'),
        ('The same from a file.', 'begins with'),
        ('Of the model.', 'begins with'),
        ('No more.', 'begins with'),
        ('It is called once.', 'begins with'),
        ('The mass. It is in kg.', 'has a first sentence of less'),
        ('Returns the mass of a body', 'does not end'),
    ],
)
def test_a_docstring_that_needs_its_neighbour_is_found(text: str, reason: str) -> None:
    found = fault(text)
    assert found.startswith(reason) if reason else not found
