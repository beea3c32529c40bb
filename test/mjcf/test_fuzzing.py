"""Random text is read and can be written again, or is rejected with an MjcfError.

Seven tests, each of 20 000 examples: pytest test/mjcf/test_fuzzing.py --hypothesis-profile=long
"""

from __future__ import annotations

import encodings.aliases
import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from time import thread_time
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf import schema
from mujoco_ros_py.mjcf.tools import checking
from mujoco_ros_py.mjcf.tools.formatting import formatted

pytestmark = [
    pytest.mark.slow,
    # damaged models cause warnings about text that MuJoCo accepts
    pytest.mark.filterwarnings('ignore:.*MuJoCo (ignores|reads it anyway)'),
]

MODEL = """<?xml version="1.0" encoding="utf-8"?>
<mujoco model="robot">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002" iterations="50"><flag gravity="disable"/></option>
  <default class="main">
    <geom rgba="1 0 0 1" friction="1 0.5 0.1"/>
    <default class="arm"><joint damping="0.5" range="-1 1"/></default>
  </default>
  <include file="assets.xml"/>
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0 0 -1"/><!-- a comment -->
    <body name="base" pos="0 0 1e-1" childclass="arm"><freejoint name="root"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="hull" type="box" size=".1 .2 .3" material="blue &amp; white"/>
      <frame name="f" pos="0 1 0"><site name="tip" size="0.01"/></frame>
      <replicate count="2" euler="0 0 1"><geom type="sphere" size="0.1"/></replicate>
      <body name="arm"><joint name="hinge" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.05" user="1 2 3"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="hull" geom2="hull"/><exclude body1="base" body2="arm"/></contact>
  <actuator><motor name="drive" joint="hinge" gear="10"/></actuator>
  <sensor><framepos objtype="body" objname="arm"/><jointpos joint="hinge"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="t" data="x"/></custom>
  <keyframe><key name="home" qpos="0 0 0 1 0 0 0 0"/></keyframe>
</mujoco>
"""
FILES = {
    'assets.xml': '<mujocoinclude><asset><material name="blue &amp; white"/></asset>'
    '</mujocoinclude>',
    'loop.xml': '<mujoco><include file="loop.xml"/></mujoco>',
}
ASSETS = {name: text.encode() for name, text in FILES.items()}
BAIT = Path(__file__).as_uri()
"""A file outside of the model's folder."""
BOMB = ''.join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(30))
PIECES = [
    f'<!DOCTYPE a SYSTEM "{BAIT}">',
    f'<!DOCTYPE a [<!ENTITY e SYSTEM "{BAIT}">]>',
    f'<!DOCTYPE a [<!ENTITY % e SYSTEM "{BAIT}">%e;]>',
    f'<!DOCTYPE a [<!ENTITY e0 "bang">{BOMB}]>',
    f'<?xml-stylesheet href="{BAIT}"?>',
    f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{BAIT}"/>',
    '<!DOCTYPE mujoco>', '<!DOCTYPE a [<!ENTITY e "e">]>', '&e;', '&e30;',
    '<', '>', '"', '&', "'", '/>', '</', '<!--', '-->', '<![CDATA[', ']]>', '<?xml?>', '\x00',
    '&#0;', '&#xD800;', '&#x110000;', '\ufeff', 'nan', '1e999', '1e-999', '1_0', '\u0661', 'inf',
    '-', '9' * 5000, '0x10', ' ' * 3000, 'UTF-16', 'name="x"', 'class="arm"', '<body>', '</body>',
    '<default>', '<geom/>', '<frame foo="1">', '<include file="assets.xml"/>', 'world',
    '<include file="loop.xml"/>', '<include file=""/>', '<include file="none"/>', '<include/>',
    'mujoco', '\ud800', '\x7f', '\x85', '<geom size="', '<body>' * 600,
]  # fmt: skip
LONGEST = 1000
"""The maximum CPU time of a text, as a multiple of the time for the model."""
OPENED: list[str] = []
_EVENTS = 'open', 'socket.connect', 'subprocess.Popen', 'os.system', 'urllib.Request'
_watching = False


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event in _EVENTS:
        OPENED.append(str(arguments[0]))


sys.addaudithook(_note)


@contextmanager
def watched() -> Iterator[None]:
    """Collects the opened files in OPENED, except for the modules that Python loads to decode."""
    global _watching
    OPENED.clear()
    _watching = True
    try:
        yield
    finally:
        _watching = False
        python = str(Path(encodings.aliases.__file__).parents[1])
        OPENED[:] = [path for path in OPENED if not path.startswith(python)]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """The folder of the model, with its included files."""
    folder = tmp_path_factory.mktemp('model')
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@cache
def cost_s() -> float:
    """Returns the CPU time for reading the model."""

    def once() -> float:
        start = thread_time()
        mjcf.from_xml_string(MODEL, assets=ASSETS)
        return thread_time() - start

    return min(once() for _ in range(5))


def check(text: str | bytes, folder: Path) -> bool:
    """Returns whether a text can be read; checks that its written form is stable."""
    gc.disable()  # a collection takes seconds after many examples
    start = thread_time()
    try:
        with watched():
            model = mjcf.from_xml_string(text, model_dir=str(folder))
        written = model.to_xml_string()
        assert mjcf.from_xml_string(written).to_xml_string() == written
        source = model.to_source()
        assert mjcf.from_xml_string(source).to_xml_string() == written
        assert source == text or OPENED or isinstance(text, bytes)
        return True
    except MjcfError:
        return False
    finally:
        gc.enable()
        assert thread_time() - start < LONGEST * cost_s()
        outside = {path for path in OPENED if not path.startswith(str(folder))}
        assert outside <= set(re.findall('file="([^"]*)"', str(text)))


def mutated(text: str, edits: list[tuple[str, int, int, str]]) -> str:
    """Applies edits: the action, the place, the number of characters, and the inserted text."""
    for action, place, length, piece in edits:
        start = place % len(text) if text else 0
        stop = start + length
        if action == 'swap':
            words = text.split('"')
            if len(words) > 2:
                odd = range(1, len(words), 2)
                words[odd[place % len(odd)]] = words[odd[(place + length) % len(odd)]]
                text = '"'.join(words)
        elif action == 'double':
            text = text[:stop] + text[start:]
        elif action == 'insert':
            text = text[:start] + piece + text[start:]
        else:
            text = text[:start] + piece * (action == 'overwrite') + text[stop:]
    return text


edits = st.lists(
    st.tuples(
        st.sampled_from(['swap', 'swap', 'double', 'insert', 'overwrite', 'cut']),
        st.integers(0, 2 * len(MODEL)),
        st.sampled_from([1, 1, 2, 5, 20, 200]),
        st.sampled_from(PIECES) | st.text(max_size=5) | st.floats().map(repr),
    ),
    min_size=1,
    max_size=4,
)
values = (
    st.sampled_from(PIECES)
    | st.lists(st.integers(-3, 3) | st.floats(), max_size=5).map(lambda x: ' '.join(map(str, x)))
    | st.text(max_size=5)
)


@cache
def choice(*words: str):
    """Returns a cached strategy, because making it takes longer than drawing from it."""
    return st.sampled_from(words)


@cache
def some(*words: str, most: int, unique: bool = False):
    return st.lists(choice(*words), max_size=most, unique=unique)


@cache
def value_of(*keywords: str):
    return values | choice(*keywords) if keywords else values


def element(draw, spec, depth=0):
    """Draws an element with some valid and some invalid attributes and children."""
    attributes = ''
    for name in draw(some(*spec.attributes, 'x', most=3, unique=True)):
        known = spec.attributes.get(name)
        word = draw(value_of(*(known.keywords or ()) if known else ()))
        attributes += f' {name}={quoteattr(word)}'
    content = ''
    for tag in draw(some(*(spec.children or ()), 'include', most=4)) if depth < 6 else ():
        child = spec.children.get(tag)
        content += element(draw, child, depth + 1) if child else '<include file="assets.xml"/>'
    return f'<{spec.name}{attributes}>{content}</{spec.name}>'


elements = st.composite(element)


def outcomes(strategy, folder) -> set[bool]:
    """Whether texts were read and whether some were refused."""
    found = set()

    @given(strategy)
    def each(text):
        found.add(check(text, folder))

    each()
    return found


def test_a_damaged_model_is_read_or_refused_with_an_error_of_mjcf(folder):
    assert outcomes(edits.map(lambda some: mutated(MODEL, some)), folder) == {True, False}


def test_damaged_bytes_are_read_or_refused_with_an_error_of_mjcf(folder):
    def damaged(changes: dict[int, int]) -> bytes:
        content = bytearray(MODEL.encode())
        for place, byte in changes.items():
            content[place] = byte
        return bytes(content)

    places = st.integers(0, len(MODEL) - 1)
    changes = st.dictionaries(places, st.integers(0, 255), max_size=3)
    assert outcomes(changes.map(damaged), folder) == {True, False}


def test_whatever_the_schema_allows_is_read_or_refused_with_an_error_of_mjcf(folder):
    assert outcomes(elements(schema.root()), folder) == {True, False}


def error_of(read: Callable[..., object], *of: object) -> str:
    """Returns the message of the MjcfError that a call raises, or '' if it raises none."""
    try:
        read(*of)
    except MjcfError as error:
        return str(error)
    return ''


def first_error(content: bytes) -> str:
    return error_of(partial(mjcf.from_xml_string, assets=ASSETS), content)


damaged = edits.map(lambda some: mutated(MODEL, some).encode(errors='replace'))


@given(damaged)
def test_the_first_fault_that_checking_finds_is_that_with_which_reading_ends(content):
    errors, _ = checking.check(content, '', ASSETS, compiled=False)
    strict = first_error(content)
    assert not strict or str(errors[0]) == strict


@given(damaged)
def test_a_damaged_file_is_formatted_and_says_the_same_or_is_refused(content):
    refused = error_of(formatted, content)
    if refused:
        assert refused.startswith('Line ')  # not: the formatted text would have another meaning
        return
    result = formatted(content)
    assert formatted(result) == result
    assert bool(first_error(result)) == bool(first_error(content))


def test_noise_is_refused(folder):
    assert outcomes(st.binary() | st.text(), folder) == {False}


def test_whatever_encoding_is_declared_the_model_is_read_or_refused(folder):
    names = sorted({*encodings.aliases.aliases, 'idna', 'raw_unicode_escape', 'no', '', '\u00e4'})

    def encoded(declared: str, used: str, mark: bytes) -> bytes:
        text = MODEL.replace('utf-8', declared).replace('blue', '\u00fc')
        return mark + text.encode(used, 'xmlcharrefreplace')

    marks = st.sampled_from([b'', b'', b'\xef\xbb\xbf', b'\xff\xfe', b'\xfe\xff', b'\0'])
    used = st.sampled_from(['ascii', 'utf-8', 'utf-8', 'utf-16', 'utf-16-be', 'utf-32', 'cp037'])
    texts = st.builds(encoded, st.sampled_from(names), used, marks)
    assert outcomes(texts, folder) == {True, False}
