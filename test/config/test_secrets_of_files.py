"""Anyone who can set a parameter can name any file: messages must not show the file's content."""

from __future__ import annotations

import os
import random
import threading
import traceback

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.config import plugin_forms, read_file, register
from mujoco_ros_py.errors import ConfigError

SECRET = 's3cret'
FILES = {
    'passwords': f'root:{SECRET}:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n',
    'key and value': f'password = {SECRET}\n',
    'a struct': f'{SECRET}: {SECRET}\n',
    'a string': f'{SECRET}\n',
    'a list of strings': f'- {SECRET}\n- {SECRET}\n',
    'a list of lists': f'- [{SECRET}]\n',
    'structs without a type': f'- {SECRET}: {SECRET}\n',
    'types of another form': f'- type: {SECRET}\n',
    'names of another form': f'- {{type: a/B, name: {SECRET} 1}}\n',
    'keys that are numbers': '- {1973: 1973}\n',
    'an alias': f'- *{SECRET}\n',
    'an anchor twice': f'- &{SECRET} a\n- &{SECRET} b\n',
    'a tag': f'- !{SECRET} a\n',
    'a tag of a handle': f'- !{SECRET}!a b\n',
    'a key twice': f'- {{{SECRET}: 1, {SECRET}: 2}}\n',
    'numbers without commas': '- [1973 1973]\n',
    'deeper than above': f'- type: a/B\n    {SECRET}: 1\n',
    'an escape': f'- "\\q{SECRET}"\n',
    'a directive': f'%{SECRET} 1\n---\n',
    'a number without digits': '- 0b_1973\n- 0b_\n',
    'a huge number': f'- {"1973" * 2000}\n',
    'quotes in quotes': f"""- !<'{SECRET}"> '{SECRET}"\n""",
    'a sign in quotes': f'- {{"<scalar>\' {SECRET}": 1, "<scalar>\' {SECRET}": 1}}\n',
    'a control character': f'{SECRET}\x01\n',
    'latin 1': f'{SECRET}\xff\n',
}


def said_of(path) -> str:
    """All messages about a file, as a log shows them: with the errors that caused them."""
    try:
        _, refusals = register(read_file(path))
    except ConfigError as error:
        return ''.join(traceback.format_exception_only(error)) + _causes(error)
    return '\n'.join(map(str, refusals))


def _causes(error: BaseException) -> str:
    chain = traceback.TracebackException.from_exception(error)
    return ''.join(chain.format()) if error.__cause__ or not error.__suppress_context__ else ''


@pytest.mark.parametrize('kind', FILES)
def test_nothing_of_a_file_that_is_no_configuration_is_said(tmp_path, kind):
    path = tmp_path / 'any'
    path.write_text(FILES[kind], encoding='latin-1')

    said = said_of(path)

    assert SECRET not in said
    assert '1973' not in said
    assert str(path) in said


@pytest.mark.slow
def test_nothing_of_random_files_is_said(tmp_path):
    signs, chance = [*'[]{}:,-!&*?|>%@`"\'\n #<', ' ', '\n- ', ': '], random.Random(1)
    path = tmp_path / 'any'
    for _ in range(1000):
        parts = [chance.choice([*signs, f'{SECRET} ']) for _ in range(chance.randint(1, 12))]
        path.write_text(''.join([SECRET, *parts]))
        assert SECRET not in said_of(path), path.read_text()


@pytest.mark.parametrize(
    ('content', 'said'),
    [
        ('- type: a/B\n- {type: c/D', 'line 2, column 13: while parsing a flow mapping: expected'),
        ('- type: a/B\n    gain: 1\n', 'start all keys of a struct in the same column, here 3'),
        ('- {gain: 1, gain: 2}', 'line 1, column 13: a key appears twice in one struct'),
        ('- [1 2 3]', 'line 1, column 4: a list lacks commas between its items'),
        ('- a: !!python/tuple []', 'line 1, column 6: tags are not accepted'),
        ('- a: *b', 'line 1, column 6: aliases (*name) are not accepted'),
        ('- a: [', "expected the node content, but found '<stream end>'"),
        ('- type', "[0]: must be a struct with a 'type', got a string"),
        ('arm: 1', 'must be a list of structs, or a struct whose only key MujocoPlugins'),
    ],
)
def test_place_and_rule_are_said_all_the_same(tmp_path, content, said):
    path = tmp_path / 'plugins.yaml'
    path.write_text(content)

    assert said in said_of(path)


def test_a_pipe_that_takes_the_place_of_a_file_keeps_nobody_waiting(tmp_path, monkeypatch):
    path = tmp_path / 'plugins.yaml'
    os.mkfifo(path)
    monkeypatch.setattr(type(path), 'is_file', lambda _: True)  # as it was a moment ago
    said = []
    reader = threading.Thread(target=lambda: said.append(said_of(path)), daemon=True)
    reader.start()
    reader.join(DEADLINE_S)

    assert len(said) == 1
    assert f'{path}: is empty' in said[0]


def test_more_plugins_than_any_server_has_are_refused():
    listed = [{'type': 'a/B'}] * (plugin_forms.MAX_PLUGINS + 1)
    with pytest.raises(ConfigError, match='MujocoPlugins may have at most 1000 plugins, got 1001'):
        plugin_forms.read_plugins(listed, str)
