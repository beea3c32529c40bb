import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ('mujoco_ros_py', 'examples', 'interfaces', 'benchmarks', 'launch', 'docs', 'scripts')
SOURCES = sorted(
    path
    for place in PLACES
    for path in (ROOT / place).rglob('*' if place == 'scripts' else '*.py')
    if path.is_file() and path.suffix != '.pyc'
)
EXEMPT = {'examples', 'launch'}
"""The folders whose functions need no docstrings, as the pages that show them explain them."""
DEPENDENT = (
    *('all:', 'also', 'and', 'as above', 'as before', 'but', 'ditto', 'either', 'else'),
    *('how many are', 'it', 'its', 'likewise', 'no more', 'nor', 'nothing:', 'of', 'or'),
    *('otherwise', 'same', 'see above', 'so', 'such', 'that', 'the others', 'the rest'),
    *('the same', 'them', 'then', 'these', 'they', 'this', 'those', 'too', 'what else', 'which'),
)
"""The words at the beginning of a docstring that refer to something outside of it."""
_QUESTION = r'(by |from )?(how (long|many|much|often)|what|when|where|whether|which|who|why)'
_DEPENDS = re.compile(
    rf'({"|".join(DEPENDENT)})(?!\w)(?! (package|module|folder))|{_QUESTION} (it|they|them)\b',
    re.IGNORECASE,
)
"""Also `Whether it ...`: what `it` is, only a neighbour says."""
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


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yields line and text of each docstring, also of what is private, and of attributes."""
    for node in ast.walk(tree):
        body = getattr(node, 'body', None)
        for each in body if isinstance(body, list) else []:
            if (text := _text(each)) is not None:
                yield each.lineno, text


def undescribed(node: ast.AST, name: str = '') -> Iterator[tuple[int, str]]:
    """Yields line and name of each public class and function without a docstring."""
    for each in getattr(node, 'body', []):
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if each.name.startswith('_'):
            continue
        inner = f'{name}.{each.name}'.lstrip('.')
        if ast.get_docstring(each) is None and not _repeats(each):
            yield each.lineno, inner
        if isinstance(each, ast.ClassDef):
            yield from undescribed(each, inner)


def _repeats(node: ast.AST) -> bool:
    """Returns whether the function is an overload or a setter of what is described already."""
    named = [ast.unparse(each) for each in getattr(node, 'decorator_list', [])]
    return any(each.endswith(('overload', '.setter')) for each in named)


def _text(node: ast.AST) -> str | None:
    found = node.value if isinstance(node, ast.Expr) else None
    text = found.value if isinstance(found, ast.Constant) else None
    return inspect.cleandoc(text) if isinstance(text, str) else None


def faults(path: Path) -> Iterator[str]:
    """Yields a line for each docstring of a file that is missing or does not stand alone."""
    place = path.relative_to(ROOT)
    tree = ast.parse(path.read_text())
    if place.parts[0] not in EXEMPT:
        yield from (f'{place}:{line}: {name} has no docstring' for line, name in undescribed(tree))
    for line, text in docstrings(tree):
        if reason := fault(text):
            yield f'{place}:{line}: {text.splitlines()[0]!r} {reason}'


@pytest.mark.parametrize('place', PLACES)
def test_every_docstring_stands_alone(place: str) -> None:
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
        ('All: sensors and forces too.', 'begins with'),
        ('Nothing: the state is up to date anyway.', 'begins with'),
        ('What else may be wrong with a message.', 'begins with'),
        ('How many are taken at the end.', 'begins with'),
        ('Whether it has no effect while its control is 0.', 'begins with'),
        ('How long it sleeps at a time.', 'begins with'),
        ('How many messages are taken in a step.', ''),
        ('Whether the actuator exerts no force.', ''),
        ('It is called once.', 'begins with'),
        ('The mass. It is in kg.', 'has a first sentence of less'),
        ('Returns the mass of a body', 'does not end'),
    ],
)
def test_a_docstring_that_needs_its_neighbour_is_found(text: str, reason: str) -> None:
    found = fault(text)
    assert found.startswith(reason) if reason else not found
