from __future__ import annotations

import os
from pathlib import Path

import pytest

from mujoco_ros_py.config import Entry, read_file, read_list, read_plugins, read_text
from mujoco_ros_py.errors import ConfigError

# The example of the documentation of the original, as it is written there
ORIGINAL_EXAMPLE = """\
  MujocoPlugins:
  - type: plugin_package_name/SomePluginWithoutConfig
  - type: another_plugin_package/SomePluginWithConfig
      param0: "some string value"
      paramListofLists:
          [
              [0 0 0],
              [1 2 3],
              [2 2 2],
          ]
      NestedParamStruct:
          {
              structParam0: 10,
              structParam1: "some string",
              structParam2: True,
          }
"""
LIST = '- type: a/B\n  gains: [[1, 2], [3.5]]\n- type: c/D\n'
STRUCTS = [{'type': 'a/B', 'gains': [[1, 2], [3.5]]}, {'type': 'c/D'}]


def no_packages(url: str) -> Path:
    raise ConfigError(f'{url}: no such package')


def structs(entries: list[Entry]) -> list[object]:
    return [entry.struct for entry in entries]


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read_text(text, 'MujocoPlugins')
    return str(caught.value)


@pytest.fixture
def plugin_file(tmp_path):
    path = tmp_path / 'plugins.yaml'
    path.write_text(LIST)
    return path


def test_the_original_example_is_refused_at_its_indentation_and_says_what_to_write():
    assert refusal(ORIGINAL_EXAMPLE) == (
        "MujocoPlugins, line 4, column 13: 'param0' is indented deeper than 'type' above it,"
        ' which already has a value: start all keys of a struct in the same column, here 5'
    )


def test_the_original_example_is_refused_at_its_missing_commas_next():
    assert refusal(ORIGINAL_EXAMPLE.replace('\n      ', '\n    ')) == (
        'MujocoPlugins, line 7, column 14: [0 0 0] lacks commas: write [0, 0, 0],'
        ' or quotes for a string'
    )


def test_a_tab_is_refused_with_what_to_write_instead():
    assert refusal('- type: a/B\n\tgain: 1\n') == (
        'MujocoPlugins, line 2, column 1: YAML cannot be indented with tabs: use spaces'
    )


def test_the_original_example_corrected_as_told_reaches_the_plugin_whole():
    text = ORIGINAL_EXAMPLE.replace('\n      ', '\n    ')
    for row in ('0 0 0', '1 2 3', '2 2 2'):
        text = text.replace(row, ', '.join(row.split()))
    assert structs(read_text(text, 'MujocoPlugins')) == [
        {'type': 'plugin_package_name/SomePluginWithoutConfig'},
        {
            'type': 'another_plugin_package/SomePluginWithConfig',
            'param0': 'some string value',
            'paramListofLists': [[0, 0, 0], [1, 2, 3], [2, 2, 2]],
            'NestedParamStruct': {
                'structParam0': 10,
                'structParam1': 'some string',
                'structParam2': True,
            },
        },
    ]


@pytest.mark.parametrize('text', [LIST, 'MujocoPlugins:\n' + LIST])
def test_text_is_a_list_or_a_struct_that_holds_it(text):
    entries = read_plugins(text, no_packages)
    assert structs(entries) == STRUCTS
    assert [entry.place for entry in entries] == ['MujocoPlugins[0]', 'MujocoPlugins[1]']


def test_an_empty_list_and_an_empty_string_are_no_plugins():
    assert read_plugins('[]', no_packages) == []
    assert read_plugins(' \n', no_packages) == []


@pytest.mark.parametrize(
    ('text', 'came'),
    [
        ('{type: a/B, gain: 1}', 'a struct with the keys: type, gain'),
        ('MujocoPlugins: {a: 1}', 'a struct with the keys: a'),
        ('arm', "the string 'arm', which names no file"),
        ('# nothing here', 'nothing'),
        ('5', '5'),
    ],
)
def test_a_top_level_that_is_no_list_is_refused_with_what_came(text, came):
    assert refusal(text) == (
        'MujocoPlugins must be a list of structs, or a struct whose only key MujocoPlugins'
        f' holds this list, got {came}'
    )


@pytest.mark.parametrize(
    ('text', 'place', 'reason'),
    [
        ('- type: a/B\n  x: [1, 2\n', 'line 3, column 1', "expected ',' or ']'"),
        ('- type: a/B\n gain: 3', 'line 2, column 2', 'expected <block end>'),
        ('- &x {type: a/B}\n- *x', 'line 2, column 3', 'aliases (*name) are not accepted'),
        ('- type: a/B\n  x: !!python/name:os.system', 'line 2, column 6', 'tags (tag:'),
        ('- type: a/B\n  type: c/D', 'line 2, column 3', "key 'type' appears twice"),
        ('- [1 2.5 -3e4, 4]', 'line 1, column 4', 'write [1, 2.5, -3e4]'),
        ('[' * 100, 'line 1, column 33', 'at most 32 levels'),
        ('- ? [1]\n  : 2', 'line 1, column 5', 'unhashable key'),
        ('- 1\n---\n- 2', 'line 2, column 1', 'expected a single document'),
        ('- a: b: c', 'line 1, column 7', 'mapping values are not allowed here'),
    ],
)
def test_yaml_that_is_not_accepted_is_refused_with_line_and_column(text, place, reason):
    message = refusal(text)
    assert message.startswith(f'MujocoPlugins, {place}: ')
    assert reason in message


@pytest.mark.parametrize('text', ['- a: \0', '- ' + '9' * 5000, '- a: \ud800'])
def test_characters_and_numbers_that_yaml_cannot_hold_are_refused(text):
    assert refusal(text).startswith('MujocoPlugins')


def test_an_alias_bomb_is_refused_before_it_is_expanded():
    """No machine could hold what it expands to."""
    rows = [f'- &a{i} [{", ".join([f"*a{i - 1}"] * 10)}]' for i in range(1, 30)]
    assert 'aliases' in refusal('\n'.join(['- &a0 [x]', *rows]))


def test_a_text_beyond_the_limit_is_refused_before_it_is_parsed():
    """A parser would complain that no bracket is closed."""
    assert refusal('[' * 50_000_000) == 'MujocoPlugins must have at most 262144 bytes'


def test_numbers_in_quotes_and_text_of_several_words_stay_strings():
    text = '- [{a: ["0 0 0", left arm, 1 of 2], b: 1 2 3}]'
    assert structs(read_text(text, 'x')) == [
        [{'a': ['0 0 0', 'left arm', '1 of 2'], 'b': '1 2 3'}],
    ]


def test_exponents_are_numbers_and_dates_are_strings():
    text = '[1e-3, 2.5E+3, .5e1, -1.e2, 1e3x, 2020-01-01, 2020-13-45]'
    assert structs(read_text(text, 'x')) == [
        *(0.001, 2500.0, 5.0, -100.0, '1e3x'),
        *('2020-01-01', '2020-13-45'),
    ]


@pytest.mark.parametrize('content', [LIST, 'MujocoPlugins:\n' + LIST])
def test_a_string_that_is_a_path_gives_the_list_in_the_file(plugin_file, content):
    plugin_file.write_text(content)
    entries = read_plugins(f'{plugin_file}\n', no_packages)
    assert structs(entries) == STRUCTS
    assert entries[1].place == f'{plugin_file}[1]'


def test_an_existing_file_needs_no_suffix(plugin_file):
    path = plugin_file.rename(plugin_file.with_suffix(''))
    assert structs(read_plugins(str(path), no_packages)) == STRUCTS


def test_a_path_may_start_at_home(plugin_file, monkeypatch):
    monkeypatch.setenv('HOME', str(plugin_file.parent))
    assert structs(read_plugins('~/plugins.yaml', no_packages)) == STRUCTS


def test_a_package_url_goes_through_the_resolver(plugin_file):
    urls = []

    def resolve(url):
        urls.append(url)
        return str(plugin_file)

    assert structs(read_plugins('package://arm/plugins.yaml', resolve)) == STRUCTS
    assert urls == ['package://arm/plugins.yaml']


def test_an_error_of_the_resolver_passes():
    with pytest.raises(ConfigError, match='package://arm/x: no such package'):
        read_plugins('package://arm/x', no_packages)


def test_a_list_in_one_long_line_is_not_taken_for_a_path():
    text = f'[{", ".join(["{type: a/B}"] * 1000)}]'
    assert len(read_plugins(text, no_packages)) == 1000


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(ConfigError, match=r'none\.yml: no such file'):
        read_plugins(str(tmp_path / 'none.yml'), no_packages)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ConfigError, match='not a regular file'):
        read_file(tmp_path)


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        (b'', 'is empty'),
        (b'\n \n', 'is empty'),
        (b'\x89PNG\r\n', 'must be UTF-8 text, byte 0 is not'),
        (b'- type: a/B\0', 'contains an invalid character or number'),
        (b'- a: [', 'line 1, column 7'),
        (b'arm: {type: a/B}', 'must be a list of structs'),
    ],
)
def test_a_file_without_a_list_is_refused_with_its_path(plugin_file, content, reason):
    plugin_file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        read_file(plugin_file)
    assert str(caught.value).startswith(str(plugin_file))
    assert reason in str(caught.value)


def test_a_file_of_50_mb_is_refused_unread(plugin_file):
    with plugin_file.open('wb') as file:
        file.truncate(50_000_000)
    with pytest.raises(ConfigError, match='must have at most 262144 bytes'):
        read_file(plugin_file)


def test_an_unreadable_file_is_refused_with_the_reason(plugin_file, monkeypatch):
    def denied(*_):
        raise PermissionError(13, 'Permission denied')

    monkeypatch.setattr(os, 'open', denied)
    with pytest.raises(ConfigError, match=r'plugins\.yaml: cannot be read: Permission denied'):
        read_file(plugin_file)


def test_a_list_made_in_python_is_read_as_it_is():
    assert structs(read_plugins(STRUCTS, no_packages)) == STRUCTS
    assert structs(read_list({'MujocoPlugins': tuple(STRUCTS)}, 'x')) == STRUCTS
