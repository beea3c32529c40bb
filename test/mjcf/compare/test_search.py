"""The differences between two models."""

import random
import time

import pytest

from mujoco_ros_py import mjcf

PATIENCE = 3.0
"""The limit for the growth of the time relative to the growth of the models.

A busy machine stays below this limit. Quadratic growth would reach 8 here and take minutes.
"""


def read(content, **options):
    return mjcf.from_xml_string(f'<mujoco>{content}</mujoco>', **options)


def world(content):
    return read(f'<worldbody>{content}</worldbody>')


def told(a, b):
    return [each.summary for each in mjcf.diff(a, b)]


def test_models_that_say_the_same_have_no_differences():
    one = read('<option timestep=".10"/><worldbody><geom size="1 2.0"/></worldbody>')
    other = read('<option timestep="1e-1"/><worldbody><geom  size="1.0 2"/></worldbody><asset/>')
    assert mjcf.diff(one, other) == []


def test_a_difference_tells_path_attribute_values_and_lines():
    one = world('\n<body name="arm"><geom/><geom/>\n<geom size=".1 .2"/></body>')
    other = world('<body name="arm"><geom/><geom/><geom size=".1 .3"/></body>')
    (found,) = mjcf.diff(one, other)
    assert found == mjcf.Difference(
        kind='changed',
        path='worldbody/body[arm]/geom[2]',
        attribute='size',
        old=(0.1, 0.2),
        new=(0.1, 0.3),
        old_location=('', 3),
        new_location=('', 1),
    )
    assert str(found) == (
        'changed worldbody/body[arm]/geom[2] size: 0.1 0.2 -> 0.1 0.3 (line 3 -> line 1)'
    )


@pytest.mark.parametrize(
    ('one', 'other', 'expected'),
    [
        ('<geom/>', '<geom size="1"/>', ['changed worldbody/geom[0] size: none -> 1']),
        ('<geom type="box"/>', '<geom/>', ['changed worldbody/geom[0] type: "box" -> none']),
        ('<geom/>', '<geom name="g"/>', ['changed worldbody/geom[0] name: none -> "g"']),
        ('', '<geom size="1"/>', ['added worldbody/geom[0]: <geom size="1"/>']),
        ('<body name="b"><geom/></body>', '', [
            'removed worldbody/body[b]: <body name="b">...</body>',
        ]),
        ('<geom name="a"/>', '<geom name="b"/>', [
            'removed worldbody/geom[a]: <geom name="a"/>',
            'added worldbody/geom[b]: <geom name="b"/>',
        ]),
        ('<geom/>', '<site/>', [
            'removed worldbody/geom[0]: <geom/>', 'added worldbody/site[0]: <site/>',
        ]),
        ('<geom name="a"/><geom name="b"/><geom name="c"/>',
         '<geom name="c"/><geom name="a"/><geom name="b"/>',
         ['moved worldbody/geom[c]: after geom[b] -> first']),
        ('<geom name="a"/><geom name="b" size="1"/><site/>',
         '<site/><geom name="b" size="2"/><geom name="a"/>',
         ['moved worldbody/geom[a]: first -> after geom[b]',
          'changed worldbody/geom[b] size: 1 -> 2']),
        ('<geom class="c"/>', '<geom/>', ['changed worldbody/geom[0] class: "c" -> none']),
    ],
)  # fmt: skip
def test_each_kind_of_difference_is_one_line(one, other, expected):
    assert told(world(one), world(other)) == expected


def test_of_long_values_the_part_is_shown_in_which_they_differ():
    one, other = (
        read(f'<custom><numeric name="n" data="{"0 " * 1000}{number} 5"/></custom>')
        for number in (1, 2)
    )
    zeros = '0 ' * 10
    assert told(one, other) == [f'changed custom/numeric[n] data: ...{zeros}1 5 -> ...{zeros}2 5']
    (found,) = mjcf.diff(one, read('<custom><numeric name="n"/></custom>'))
    assert str(found) == (
        f'changed custom/numeric[n] data: {"0 " * 30}... -> none (line 1 -> line 1)'
    )


NUMBERED = [f'<geom size="{number}"/>' for number in range(1, 6)]


@pytest.mark.parametrize('position', [0, 2, 5])
def test_an_element_without_a_name_that_is_put_in_leaves_the_others_as_they_are(position):
    more = [*NUMBERED[:position], '<geom size="9"/>', *NUMBERED[position:]]
    one, other = world(''.join(NUMBERED)), world(''.join(more))
    assert told(one, other) == [f'added worldbody/geom[{position}]: <geom size="9"/>']
    assert told(other, one) == [f'removed worldbody/geom[{position}]: <geom size="9"/>']


def test_of_equal_elements_the_one_that_is_missing_is_told():
    one, other = (world(f'{x}<geom size="2"/><geom size="1"/>') for x in ('<geom size="1"/>', ''))
    assert told(one, other) == ['removed worldbody/geom[0]: <geom size="1"/>']
    assert told(other, one) == ['added worldbody/geom[0]: <geom size="1"/>']


def test_elements_without_names_are_matched_by_what_they_have_in_common():
    one = world('<geom size="1" pos="0 0 1" rgba="1 0 0 1"/><geom size="2" pos="0 0 2"/>')
    other = world('<geom type="box"/><geom size="3" pos="0 0 2"/>')
    assert told(one, other) == [
        'changed worldbody/geom[0] size: 1 -> none',
        'changed worldbody/geom[0] pos: 0 0 1 -> none',
        'changed worldbody/geom[0] rgba: 1 0 0 1 -> none',
        'changed worldbody/geom[0] type: none -> "box"',
        'changed worldbody/geom[1] size: 2 -> 3',
    ]
    assert told(one, world('<geom size="3" pos="0 0 2"/>')) == [
        'removed worldbody/geom[0]: <geom size="1" pos="0 0 1" rgba="1 0 0 1"/>',
        'changed worldbody/geom[1] size: 2 -> 3',
    ]


def test_among_tendons_the_order_of_all_counts():
    path = '<tendon><spatial name="t">{}</spatial></tendon>'
    one = read(path.format('<site site="a"/><geom geom="b"/><site site="c"/>'))
    other = read(path.format('<geom geom="b"/><site site="a"/><site site="c"/>'))
    assert told(one, other) == ['moved tendon/spatial[t]/site[0]: first -> after geom[0]']


@pytest.mark.parametrize(
    ('section', 'first', 'second'),
    [
        ('actuator', '<motor name="a"/>', '<position name="b"/>'),
        ('sensor', '<clock name="a"/>', '<subtreecom name="b" body="world"/>'),
        ('equality', '<weld name="a"/>', '<joint name="b" joint1="j"/>'),
        ('tendon', '<spatial name="a"/>', '<fixed name="b"/>'),
    ],
)
def test_where_mujoco_numbers_all_tags_together_the_order_of_all_counts(section, first, second):
    one, other = (
        read(f'<{section}>{a}{b}</{section}>') for a, b in ((first, second), (second, first))
    )
    (moved,) = mjcf.diff(one, other)
    assert moved.kind == 'moved'
    assert not one.is_same_as(other)


def test_references_differ_if_they_name_another_element():
    text = (
        '<worldbody><body><joint name="j"/><joint name="k"/></body></worldbody>'
        '<actuator><motor name="m" joint="{}"/></actuator>'
    )
    one, other = read(text.format('j')), read(text.format('k'))
    assert told(one, other) == ['changed actuator/motor[m] joint: "j" -> "k"']
    other.find('joint', 'j').name = 'i'
    other.find('joint', 'k').name = 'j'
    assert 'actuator' not in ''.join(told(one, other))


def test_a_file_that_is_missing_for_one_model_is_told_as_such():
    text = '<asset><mesh name="m" file="a.stl"/></asset>'
    one, other = read(text), read(text, assets={'a.stl': b'1'})
    assert told(one, other) == [
        'changed asset/mesh[m] file: "a.stl" can be read in only one model'
    ]


def test_files_differ_by_name_and_by_content():
    text = '<asset><mesh name="m" file="{}"/></asset>'
    one = read(text.format('a.stl'), assets={'a.stl': b'1'})
    assert told(one, read(text.format('a.stl'), assets={'a.stl': b'1'})) == []
    assert told(one, read(text.format('a.stl'), assets={'a.stl': b'2'})) == [
        'changed asset/mesh[m] file: "a.stl" has different content'
    ]
    assert told(one, read(text.format('b.stl'), assets={'b.stl': b'1'})) == [
        'changed asset/mesh[m] file: "a.stl" -> "b.stl"'
    ]


def test_files_that_cannot_be_read_are_compared_by_name():
    text = '<asset><mesh name="m" file="{}"/></asset>'
    one, same, other = (read(text.format(name)) for name in ('a.stl', 'a.stl', 'b.stl'))
    assert told(one, same) == []
    assert one.is_same_as(same)
    assert told(one, other) == ['changed asset/mesh[m] file: "a.stl" -> "b.stl"']


def test_a_location_names_the_included_file():
    parts = {'part.xml': b'<mujoco>\n<geom name="g" size="1"/></mujoco>'}
    other = {'part.xml': b'<mujoco>\n\n<geom name="g" size="2"/></mujoco>'}
    text = '<worldbody><include file="part.xml"/></worldbody>'
    (found,) = mjcf.diff(read(text, assets=parts), read(text, assets=other))
    assert [str(each) for each in found.locations] == ['part.xml:2', 'part.xml:3']


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16'])
@pytest.mark.parametrize('newline', ['\n', '\r\n', '\r'])
def test_a_location_counts_the_lines_of_any_encoding(encoding, newline):
    lines = [
        '<mujoco>',
        '<!-- ÄĊ -->',
        '<worldbody>',
        '{}',
        '</worldbody>',
        *[''] * 50,
        '</mujoco>',
    ]
    text = newline.join(lines)
    one = mjcf.from_xml_string(text.format('<geom/>').encode(encoding))
    other = mjcf.from_xml_string(text.format('').encode(encoding))
    (found,) = mjcf.diff(one, other)
    assert found.old_location == ('', 4)


def test_what_was_made_has_no_location():
    one, other = read(''), read('')
    other.worldbody.add('geom', size=[1])
    (found,) = mjcf.diff(one, other)
    assert found.locations == []
    assert found.new is other.worldbody.geom[0]
    assert str(found) == found.summary


def composed(name='arm', size=1.0, rgba=(1, 0, 0, 1)):
    host, arm = mjcf.RootElement(model='host'), mjcf.RootElement(model=name)
    body = arm.worldbody.add('body', name='upper')
    joint = body.add('joint', name='j')
    body.add('geom', size=[size])
    arm.default.geom.rgba = rgba
    arm.actuator.add('motor', name='m', joint=joint)
    host.attach(arm).add('freejoint')
    return host


def test_attached_models_are_compared_as_parts_of_the_whole():
    assert told(composed(), composed()) == []
    assert told(composed(), composed(size=2.0)) == [
        'changed worldbody/body[arm/]/body[arm/upper]/geom[0] size: 1 -> 2'
    ]
    assert told(composed(), composed(rgba=(0, 0, 0, 1))) == [
        'changed default/default[arm/]/geom rgba: 1 0 0 1 -> 0 0 0 1'
    ]


def test_models_attached_under_other_names_are_others():
    assert [each.path for each in mjcf.diff(composed(), composed(name='leg'))] == [
        'actuator/motor[arm/m]', 'actuator/motor[leg/m]',
        'worldbody/body[arm/]', 'worldbody/body[leg/]',
    ]  # fmt: skip
    assert not composed().is_same_as(composed(name='leg'))


def test_elements_of_models_can_be_compared_alone():
    one, other = world('<body><geom size="1"/></body>'), world('<body><geom size="2"/></body>')
    assert told(one.worldbody.body[0], other.worldbody.body[0]) == [
        'changed body/geom[0] size: 1 -> 2'
    ]
    assert told(one.worldbody.body[0], one.worldbody.body[0].geom[0]) == [
        'removed body: <body>...</body>', 'added geom: <geom size="1"/>',
    ]  # fmt: skip


def random_world(chance, depth=0):
    content = ''
    for _ in range(chance.randint(0, 4)):
        tag = chance.choice(['geom', 'geom', 'site', 'body'] if depth < 3 else ['geom'])
        name = f' name="n{chance.random()}"' if chance.random() < 0.2 else ''
        size = f' pos="{chance.randint(1, 2)}"' if chance.random() < 0.5 else ''
        inside = random_world(chance, depth + 1) if tag == 'body' else ''
        content += f'<{tag}{name}{size}>{inside}</{tag}>'
    return content


def edit(model, chance):
    element = chance.choice(
        [each for each in model.walk() if each.tag in ('geom', 'site', 'body')]
    )
    if chance.random() < 0.3:
        element.remove()
    elif chance.random() < 0.5:
        element.pos = [chance.randint(1, 3)]
    else:
        siblings = element._parent._children
        siblings.remove(element)
        siblings.insert(chance.randint(0, len(siblings)), element)


@pytest.mark.parametrize(
    'seed',
    [*range(10), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(10, 500))],
)
def test_there_are_differences_if_and_only_if_the_models_are_not_the_same(seed):
    chance = random.Random(seed)
    text = f'<body>{random_world(chance)}</body>'
    one, other = world(text), world(text)
    assert told(one, other) == []
    for _ in range(chance.randint(1, 3)):
        if len(list(other.walk())) > 2:
            edit(other, chance)
            assert bool(told(one, other)) is not one.is_same_as(other)
            assert bool(told(other, one)) is not other.is_same_as(one)


def many(count, chance, turned=False):
    geoms = [f'<geom name="g{i}" size="{chance.random()}"/>' for i in range(count // 2)]
    geoms += [f'<geom size="{chance.random()}" pos="{i} 0 0"/>' for i in range(count // 2)]
    return world(''.join(reversed(geoms) if turned else geoms))


@pytest.mark.slow
@pytest.mark.parametrize('turned', [False, True])
def test_the_time_for_models_that_have_nothing_in_common_grows_as_they_do(turned):
    def seconds(count: int) -> float:
        one, other = many(count, random.Random(1)), many(count, random.Random(2), turned)
        begin = time.thread_time()  # ignores the time of other processes
        assert mjcf.diff(one, other)
        return time.thread_time() - begin

    small, large = (min(seconds(count) for _ in range(3)) for count in (250, 2_000))
    assert large < 8 * small * PATIENCE
