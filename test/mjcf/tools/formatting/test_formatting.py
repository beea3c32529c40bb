"""The layout of formatted files, which keep their content."""

import random
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf import diff, from_path, from_xml_string
from mujoco_ros_py.mjcf.tools.formatting import formatted

REPOSITORY = Path(__file__).parents[4]
MODELS = [
    REPOSITORY / 'benchmarks' / 'humanoid.xml',
    REPOSITORY / 'examples' / 'arm.xml',
    REPOSITORY / 'examples' / 'rover.xml',
    *sorted(Path(mujoco.__file__).parent.rglob('*.xml')),
]


def neat(text):
    once = formatted(text.encode())
    assert formatted(once) == once
    return once.decode()


def inside(text):
    """Returns the formatted content of <worldbody>, without the indentation of the world."""
    lines = neat(f'<mujoco>\n<worldbody>\n{text}\n</worldbody>\n</mujoco>').splitlines()
    assert lines[:2] == ['<mujoco>', '  <worldbody>']
    assert lines[-2:] == ['  </worldbody>', '</mujoco>']
    return '\n'.join(line[4:] for line in lines[2:-2])


def test_elements_are_on_lines_of_their_own_and_indented():
    assert neat('<mujoco><worldbody><body><geom/><geom></geom></body></worldbody></mujoco>') == (
        '<mujoco>\n  <worldbody>\n    <body>\n      <geom/>\n      <geom/>\n    </body>\n'
        '  </worldbody>\n</mujoco>\n'
    )


def test_attributes_keep_their_order_and_have_one_blank_between():
    assert inside('<geom\n  size = \'1\'\ttype\n="box"  />') == '<geom size="1" type="box"/>'


def test_double_quotes_in_single_ones_stay():
    assert inside('<geom name=\'a "b"\'/>') == '<geom name="a &quot;b&quot;"/>'
    assert inside('<geom name="it\'s &lt;&#65;"/>') == '<geom name="it\'s &lt;&#65;"/>'


@pytest.mark.parametrize(
    ('written', 'short'),
    [
        ('.10', '0.1'),
        ('1.0', '1'),
        ('-0.50', '-0.5'),
        ('+1.', '1'),
        ('1.50e-03', '0.0015'),
        ('1.50e-04', '1.5e-4'),
        ('1E6', '1e6'),
        ('1e0', '1'),
        ('1000000', '1000000'),
        ('0.00001', '1e-5'),
        ('1e22', '1e22'),
        ('0.1000000000000000055511151231257827', '0.1'),
        ('-0.0', '-0'),
        ('inf', 'inf'),
    ],
)
def test_numbers_are_written_in_few_digits(written, short):
    assert inside(f'<geom mass="{written}"/>') == f'<geom mass="{short}"/>'
    assert str(float(written)) == str(float(short))


def test_only_numbers_are_changed():
    text = '<geom name="1.0" class="c 2.0" type="box" condim="3"/>'
    assert inside(text) == text
    assert inside('<geom size=" 1.0   2.0 " condim="03"/>') == '<geom size="1 2" condim="3"/>'
    for size in ('.10 b', '.1  nan', '1_0.0', '.2.3  .1'):
        assert inside(f'<geom size="{size}"/>') == f'<geom size="{size}"/>'
    assert inside('<geom size="&#49;.0" foo="1.0"/>') == '<geom size="&#49;.0" foo="1.0"/>'


def test_numbers_on_several_lines_stay_on_several_below_each_other():
    assert inside('<geom size="\n 1.0\n\n   2.0 3\n" name="g"/>') == (
        '<geom size="1\n            2 3" name="g"/>'
    )


def test_a_long_tag_goes_on_below_its_first_attribute():
    values = ' '.join(['0.125'] * 5)
    text = f'<geom name="{"g" * 30}" user="{values}" solimp="{values}"/>'
    first, second = inside(text).splitlines()
    assert first == f'<geom name="{"g" * 30}" user="{values}"'
    assert second == f'      solimp="{values}"/>'


@pytest.mark.parametrize('length', range(70, 80))
def test_a_tag_goes_on_exactly_if_it_is_longer_than_100_columns(length):
    tag = f'<option timestep="1" o="{"x" * length}"/>'
    lines = neat(f'<mujoco>\n  {tag}\n</mujoco>').splitlines()
    assert (f'  {tag}' in lines) is (len(tag) + 2 <= 100)


def test_of_empty_lines_one_stays_between_elements():
    assert inside('\n\n<geom/>\n\n\n\n<site/>\n<camera/>\n\n\n') == (
        '<geom/>\n\n<site/>\n<camera/>'
    )


def test_comments_stay_where_they_are():
    assert neat(
        '<?xml version="1.0"?><!--head-->\n<mujoco><!-- a -->\n\t<!-- b --><option/>  <!-- c -->'
        '<!-- d -->\n</mujoco><!-- e -->\n\n<!-- f -->'
    ) == (
        '<?xml version="1.0"?> <!--head-->\n<mujoco> <!-- a -->\n  <!-- b -->\n'
        '  <option/> <!-- c --> <!-- d -->\n</mujoco> <!-- e -->\n\n<!-- f -->\n'
    )


def test_the_lines_of_a_comment_move_together():
    assert inside('\t<!-- one\n\t       two\n\tthree  -->') == '<!-- one\n       two\nthree  -->'


def test_a_comment_of_several_lines_begins_a_line():
    assert neat('<mujoco/> <!-- one\n  two -->') == '<mujoco/>\n<!-- one\ntwo -->\n'
    assert neat('<mujoco/> <!-- one\n            two -->') == '<mujoco/>\n<!-- one\n  two -->\n'


def test_lines_in_values_that_are_no_numbers_stay_as_they_are():
    attributes = 'name="a  \n  b\n\nc" size="1"'
    assert attributes in neat(f'<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>')


def test_what_looks_like_a_tag_in_comments_and_values_stays():
    text = '<!-- <geom size="1.0"/> > -->\n<geom name="a > b"/>'
    assert inside(text) == text


def test_text_and_instructions_stay():
    assert inside('<?keep  this?>\nsome <![CDATA[ <text> ]]>') == (
        '<?keep  this?>\nsome\n<![CDATA[ <text> ]]>'
    )


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-8-sig', 'latin-1', 'utf-16'])
@pytest.mark.parametrize('newline', ['\n', '\r\n'])
def test_encoding_and_ends_of_lines_stay(encoding, newline):
    name = encoding.removesuffix('-sig')
    text = f'<?xml version="1.0" encoding="{name}"?>\n<mujoco model="ä">\n</mujoco>'
    expected = text.replace('>\n</mujoco>', '/>\n')
    result = formatted(text.replace('\n', newline).encode(encoding))
    assert result == expected.replace('\n', newline).encode(encoding)


@pytest.mark.parametrize(
    ('inside', 'lines'),
    [
        ('<geom size="1.0"/>', ['<geom size="1"/>']),
        ('<body pos="1.0"/><joint range="1.0"/>', ['<body pos="1"/>', '<joint range="1"/>']),
        ('<include file="1.0"/><site pos="1.0"/>', ['<include file="1.0"/>', '<site pos="1"/>']),
        ('<motor ctrlrange="1.0" joint="1.0"/>', ['<motor ctrlrange="1" joint="1.0"/>']),
        ('<site site="1.0"/><geom geom="1.0"/>', ['<site site="1.0"/>', '<geom geom="1.0"/>']),
        ('<joint joint="a" coef="1.0"/>', ['<joint joint="a" coef="1"/>']),
        ('<unheard size="1.0"/>', ['<unheard size="1.0"/>']),
    ],
)
def test_parts_that_others_include_are_formatted_too(inside, lines):
    for root in ('mujoco', 'mujocoinclude'):
        result = neat(f'<{root}>{inside}</{root}>').splitlines()
        assert [line.strip() for line in result[1:-1]] == lines


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('<mujoco>\n<', 'Line 2: not well-formed'),
        ('', 'Line 1: not well-formed: no element found'),
        ('<html/>', 'Line 1: the first element must be <mujoco>, got <html>'),
        ('<!DOCTYPE a>\n<mujoco/>', 'Line 1: a document type is not allowed'),
    ],
)
def test_what_is_no_mjcf_is_refused(text, reason):
    with pytest.raises(MjcfError) as caught:
        formatted(text.encode())
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize('path', MODELS, ids=lambda path: path.name)
def test_a_formatted_model_is_the_same(path):
    content = path.read_bytes()
    result = formatted(content)
    assert formatted(result) == result
    assert diff(from_path(path), from_xml_string(result, model_dir=str(path.parent))) == []


BLANKS = ' ', '\n', '\t', '\r\n', '  \n\n '
PIECES = (
    '<geom size=".10 2.0"/>', '<body>', '</body>', '<!-- a -->', '<!-- a\n\t b\n-->', 'text',
    '<site pos="1.0\n2"></site>', '<geom material="a  b"/>', '<?pi x?>', "<geom material='\"'/>",
)  # fmt: skip


@pytest.mark.parametrize(
    'seed',
    [*range(10), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(10, 500))],
)
def test_whatever_the_layout_twice_is_the_same_as_once(seed):
    chance = random.Random(seed)
    pieces, depth = [], 0
    for _ in range(30):
        piece = chance.choice(PIECES)
        depth += (piece == '<body>') - (piece == '</body>')
        if depth < 0:
            depth, piece = 0, ''
        pieces += [piece, *chance.choices(BLANKS, k=chance.randint(0, 2))]
    text = f'<mujoco><worldbody>{"".join(pieces)}{"</body>" * depth}</worldbody></mujoco>'
    assert diff(from_xml_string(text), from_xml_string(neat(text))) == []
