"""Random edits: the written text matches the model, and no other line changes."""

from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mujoco_ros_py.mjcf import Element, from_path, from_xml_string, save
from mujoco_ros_py.mjcf.write.form import Form

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[3]
MODELS = [
    REPOSITORY / 'benchmarks' / 'humanoid.xml',
    REPOSITORY / 'examples' / 'arm.xml',
    REPOSITORY / 'examples' / 'rover.xml',
    *sorted(Path(mujoco.__file__).parent.rglob('*.xml')),
]
MAIN = """\
<mujoco>
  <worldbody>
    <body name="first"/>
    <include file="part.xml"/>
    <body name="last"/>
  </worldbody>
  <include file="arm.xml"/>
  <default><geom rgba="1 0 0 1"/></default>
</mujoco>
"""
PART = """\
<mujoco>
  <geom size="1"/> <!-- round -->
  <body name="part"><site name="s"/><geom size="2"/></body>
  <body/>
</mujoco>
"""
KINDS = 'int', 'real', 'keyword', 'string'
TEXTS = 'a<b', "it's", 'say "so"', 'two\nlines\t', 'é', 'a>b & c', ' '


def random_value(spec, chance):
    if spec.keywords:
        return chance.choice(spec.keywords)
    if spec.kind in ('int', 'real'):
        count = chance.randint(1, min(spec.high or 4, 10))
        numbers = [chance.randint(1, 9) / (1 if spec.kind == 'int' else 8) for _ in range(count)]
        return numbers if spec.is_array else numbers[0]
    return chance.choice(TEXTS)


def set_something(element, chance):
    attributes = [x for x in element._attributes.values() if x.spec.kind in KINDS]
    if attributes:
        attribute = chance.choice(attributes)
        setattr(element, attribute.key, random_value(attribute.spec, chance))


def set_in_place(element, chance):
    for value in element.get_attributes().values():
        if isinstance(value, np.ndarray):
            value += chance.randint(0, 1)


def delete(element, chance):
    keys = [key for key in element._values if key not in (element._key, 'file')]
    if keys:
        delattr(element, chance.choice(keys))


def add(element, chance):
    kinds = [kind for kind in element._types.values() if not (kind._always or kind._required)]
    if kinds:
        kind = chance.choice(kinds)
        name = (
            {kind._key: f'new_{chance.randrange(10**9)}'}
            if kind._key and chance.random() < 0.8
            else {}
        )
        made = element.insert(kind.tag, chance.randint(0, len(element._children)), **name)
        for _ in range(chance.randint(0, 2)):
            chance.choice([set_something, add])(made, chance)


def remove(element, chance):
    if element.parent is not None and chance.random() < 0.3:
        element.remove()


def rename(element, chance):
    if element._name:
        setattr(element, element._key, f'renamed_{chance.randrange(10**9)}')


EDITS = [set_something, set_in_place, delete, add, add, remove, rename]


def edit(model, chance, times):
    for _ in range(times):
        try:
            chance.choice(EDITS)(chance.choice(list(model.walk())), chance)
        except (ValueError, AttributeError):
            continue  # the schema refuses the edit
    remove_incomplete(model)


def is_incomplete(element):
    """Returns whether a required attribute is missing, or a reference has no type or a wrong one.

    MJCF cannot express these cases.
    """
    values = element.get_attributes()
    wrong = [
        each
        for each in element._references
        if each.key in values and not tells_kind(each, element, values[each.key])
    ]
    return bool(wrong) or any(key not in values for key in element._required)


def tells_kind(reference, element, referred):
    told = reference.namespace(element)
    if reference.dependent and isinstance(referred, Element):
        return told == referred.spec.namespace
    return bool(told)


def remove_incomplete(model):
    """Removes incomplete elements, repeatedly until all are complete."""
    elements, left = list(model.walk()), None
    while elements != left:
        for element in elements:
            if not element.is_removed and is_incomplete(element):
                element.remove()
        elements, left = list(model.walk()), elements


def order(model):
    """Returns the tags and names of all elements with values, in their order.

    Defaults are skipped, because the reader merges repeated sections of defaults.
    """
    return [
        (each.tag, each._name)
        for section in model.all_children()
        if section.tag != 'default'
        for each in section.walk()
        if each._values
    ]


def texts(element):
    return sorted(element._texts(Form()))


def lines_of(element):
    """Returns the first line, the start tag's last line, and the last line of an element."""
    source = element._source
    if source is None:
        return 0, 0, 0
    tag_stop = source.content.index(b'>', element._start)
    return tuple(map(source.line, (element._start, tag_stop, max(element._stop, tag_stop))))


def lines_touched(before):
    touched = set()
    for element, said, children in before:
        first, tag, last = lines_of(element)
        if element.is_removed:
            touched.update(range(first, last + 1))
        elif said != texts(element) or children != element._children:
            touched.update(range(first, tag + 1))
    return touched


few = settings(max_examples=settings.default.max_examples // 10)
chances = st.randoms(use_true_random=False)


@pytest.mark.parametrize('path', MODELS, ids=lambda path: path.stem)
@given(chance=chances, times=st.integers(1, 40))
@few
def test_random_edits_are_all_in_what_is_written(path, chance, times):
    model = from_path(path)
    edit(model, chance, times)
    again = from_xml_string(model.to_source(), model_dir=model.model_dir)
    assert again.is_same_as(model)
    assert order(again) == order(model)


@pytest.mark.parametrize('path', MODELS, ids=lambda path: path.stem)
@given(chance=chances, times=st.integers(1, 20))
@few
def test_random_edits_leave_all_other_lines_as_they_were(path, chance, times):
    model = from_path(path)
    before = [(each, texts(each), list(each._children)) for each in model.walk()]
    edit(model, chance, times)
    touched = lines_touched(before)
    lines = model._source.content.decode().split('\n')
    written = iter(model.to_source().split('\n'))
    untouched = [line for number, line in enumerate(lines, 1) if number not in touched]
    missing = [line for line in untouched if line not in written]
    assert missing == []


@pytest.mark.parametrize('keep_includes', [False, True])
@given(chance=chances, times=st.integers(1, 30))
@few
def test_random_edits_of_what_is_included_are_saved(keep_includes, chance, times):
    with TemporaryDirectory() as folder:
        path = Path(folder)
        (path / 'main.xml').write_text(MAIN)
        (path / 'part.xml').write_text(PART)
        (path / 'arm.xml').write_text((REPOSITORY / 'examples' / 'arm.xml').read_text())
        model = from_path(path / 'main.xml')
        edit(model, chance, times)
        save(model, path / 'new' / 'main.xml', keep_includes=keep_includes)
        again = from_path(path / 'new' / 'main.xml')
        assert again.is_same_as(model)
        assert order(again) == order(model)
