"""Models made by functions: allowed functions, arguments, and the messages about faults."""

from __future__ import annotations

import itertools
import logging
import re
import sys
from pathlib import Path

import pytest

from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.simulation import compile_model, compose, is_factory

OBJ = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
HEAD = """
import functools, sys
from subprocess import run
from mujoco_ros_py import mjcf
COUNT = 3

def arena(robots=2, *, height: float = 0.5, label='robot'):
    scene = mjcf.RootElement(model='arena')
    for number in range(robots):
        body = scene.worldbody.add('body', name=f'{label}{number}', pos=[number, 0, height])
        body.add('geom', size=[0.1])
    return scene

def _hidden():
    return mjcf.RootElement()
"""
_numbers = itertools.count()


class Site:
    """A folder on the path, with packages whose names no other test has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = f'scenery_{next(_numbers)}'
        self.write('__init__', '')

    def write(self, module: str, source: str) -> str:
        """The module's full name."""
        path = self.folder / self.package / f'{module}.py'
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        return f'{self.package}.{module}'

    def uri(self, function: str, source: str = '') -> str:
        """Of a function, with arguments or without, in a module that has also this source."""
        module = self.write(f'scenes_{next(_numbers)}', HEAD + source)
        return f'python://{module}:{function}'

    def load(self, function: str, source: str = ''):
        return compile_model(compose(self.uri(function, source), [self.package]))

    def refusal(self, function: str, source: str = '') -> str:
        """Without the URI, with which it begins."""
        uri = self.uri(function, source)
        with pytest.raises(ModelError) as caught:
            compile_model(compose(uri, [self.package]))
        assert str(caught.value).startswith(f'{uri}: ')
        return str(caught.value).removeprefix(f'{uri}: ')


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    yield (site := Site(tmp_path))
    for name in [name for name in sys.modules if name.partition('.')[0] == site.package]:
        del sys.modules[name]


def test_only_what_begins_with_python_is_a_function():
    assert is_factory('python://a.b:c')
    assert is_factory('python:a.b:c'), 'to be told the form'
    assert not is_factory('python/scene.xml')


def test_a_model_is_what_the_function_returns(site):
    model = site.load('arena')
    assert (model.nbody, model.body('robot1').pos.tolist()) == (3, [1, 0, 0.5])


def test_the_source_is_named_by_its_uri(site):
    uri = site.uri('arena')
    assert compose(uri, [site.package]).name == uri


@pytest.mark.parametrize(
    ('query', 'name', 'height'),
    [
        ('robots=1', 'robot0', 0.5),
        ('robots=1&height=2.25', 'robot0', 2.25),
        ('height=1e-1&label=left%20%2B+x', 'left + x0', 0.1),
        ('label="3"', '30', 0.5),
    ],
)
def test_what_follows_the_question_mark_are_arguments(site, query, name, height):
    assert site.load(f'arena?{query}').body(name).pos[2] == height


def test_arguments_are_yaml(site):
    source = """
def told(**values):
    return mjcf.RootElement(model=repr(values))
"""
    uri = site.uri('told?a=1&b=1.0&c=true&d=left&e=[0, x]&f=~&g="1"&h={i: 2}', source)
    expected = {
        'a': 1, 'b': 1.0, 'c': True, 'd': 'left', 'e': [0, 'x'], 'f': None, 'g': '1', 'h': {'i': 2}
    }  # fmt: skip
    assert compile_model(compose(uri, [site.package])).names.startswith(repr(expected).encode())


def test_files_come_along_also_those_of_attached_models(site):
    (site.folder / 'part.obj').write_bytes(OBJ)
    source = f"""
def meshes():
    scene = mjcf.RootElement(model='scene')
    for name in 'left', 'right':
        arm = mjcf.RootElement(model=name, model_dir={str(site.folder)!r})
        arm.asset.add('mesh', name='part', file='part.obj')
        arm.worldbody.add('geom', type='mesh', mesh='part')
        scene.attach(arm)
    return scene
"""
    assert site.load('meshes', source).nmesh == 2


def test_the_function_is_called_anew_each_time_and_its_module_imported_once(site):
    source = """
from pathlib import Path
imported, called = [], []

def counted():
    called.append(len(called))
    return mjcf.RootElement(model=f'call{len(called)}')
"""
    uri = site.uri('counted', source)
    models = [compose(uri, [site.package]) for _ in range(3)]
    assert ['call1' in models[0].xml, 'call3' in models[2].xml] == [True, True]


@pytest.mark.parametrize(
    ('source', 'name'),
    [
        ('made = functools.wraps(arena)(lambda: mjcf.RootElement())', 'made'),
        ('kept = functools.cache(arena)', 'kept'),
        ('class Arena(mjcf.RootElement): pass', 'Arena'),
        (
            'class Maker:\n    def __call__(self): return mjcf.RootElement()\nmake = Maker()',
            'make',
        ),
    ],
)
def test_what_may_be_called_is_a_function(site, source, name):
    assert site.load(name, source).nbody >= 1


@pytest.mark.parametrize(
    ('listed', 'allowed'),
    [
        (['{package}.{module}'], True),
        (['{package}'], True),
        (['other', '{package}'], True),
        ([], False),
        (['{package}.{module}.deeper'], False),
        (['{package}.{module}s', '{package}.scene', 'scenery'], False),
    ],
)
def test_modules_must_be_listed_or_be_in_packages_that_are(site, listed, allowed):
    uri = site.uri('arena')
    package, module = uri.removeprefix('python://').partition(':')[0].split('.')
    modules = [each.format(package=package, module=module) for each in listed]
    if allowed:
        assert compose(uri, modules).xml
        return
    known = ', '.join(modules) or 'none'
    said = f"{uri}: module '{package}.{module}' is not among model_modules: {known}"
    with pytest.raises(ModelError, match=re.escape(said)):
        compose(uri, modules)
    assert f'{package}.{module}' not in sys.modules, 'not even imported'


@pytest.mark.parametrize('call', ['run?args=exit&shell=true', 'mjcf.from_path', 'sys.exit'])
def test_what_a_module_only_imports_cannot_be_called(site, call):
    said = site.refusal(call)
    assert 'is not among model_modules' in said or said.startswith('must be python://<module>:')


def test_a_function_of_another_module_may_be_called_if_that_is_listed_too(site):
    module = site.write('base', HEAD)
    uri = site.uri('middle', f'from {module} import arena as middle')
    here = uri.removeprefix('python://').partition(':')[0]
    with pytest.raises(ModelError, match=f"middle is imported: module '{module}' is not among"):
        compose(uri, [here])
    assert compose(uri, [here, module]).xml


@pytest.mark.parametrize(
    'uri',
    [
        'python:', 'python://', 'python://a', 'python://a:', 'python://:b', 'python:a:b',
        'python:/a:b', 'python://a:b:c', 'python://a.:b', 'python://a/b:c', 'python://1a:b',
        'python://a:b#c', 'python://a:b?c', 'python://a:b?c=1&d',
    ],
)  # fmt: skip
def test_a_uri_of_another_form_is_refused_with_the_form(uri):
    form = 'python://<module>:<function>?<name>=<value>&<name>=<value>'
    with pytest.raises(ModelError, match=re.escape(f'{uri}: must be {form}')):
        compose(uri, ['a'])


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        ('arna', r".* has unknown function 'arna' \(did you mean 'arena'\?\); known: arena"),
        ('_hidden', r".* has unknown function '_hidden'; known: arena"),
        ('COUNT', 'COUNT must be a function, got int'),
        ('arena?robot=1', r"arena\(robots=2, .*\): got an unexpected keyword argument 'robot'"),
        ('arena?robots=1&robots=1', 'robots is given more than once'),
        ('arena?robots=', 'robots has no value'),
        ('arena?robots=[1', 'robots, line 1, column 3: while parsing a flow sequence: .*'),
        ('arena?robots=*x', r'robots, line 1, column 1: aliases \(\*name\) are not accepted'),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_made_is_refused_with_the_reason(site, call, message):
    assert re.fullmatch(message, site.refusal(call))


def test_a_function_that_lacks_an_argument_is_not_called(site):
    said = site.refusal('two?a=1', 'def two(a, b): raise ValueError')
    assert said == "two(a, b): missing a required argument: 'b'"


@pytest.mark.parametrize('value', ['None', "'<mujoco/>'", 'mjcf', 'mjcf.RootElement().worldbody'])
def test_what_is_no_root_element_is_refused_by_the_name_of_its_type(site, value):
    said = site.refusal('made', f'def made(): return {value}')
    assert re.fullmatch(r'made must return mjcf\.RootElement, returned \w+', said)


FAULTS = {
    'raise ValueError("no robots")': 'ValueError: no robots',
    'return 1 / 0': 'ZeroDivisionError: division by zero',
    'sys.exit(3)': 'SystemExit: 3',
    'raise KeyboardInterrupt': 'KeyboardInterrupt',
    'class Mute(OSError):\n        __str__ = sys.exit\n    raise Mute': 'Mute: (no text)',
    'return faulty()': 'RecursionError: maximum recursion depth exceeded',
}


@pytest.mark.parametrize('fault', FAULTS)
def test_what_a_function_raises_is_told_with_file_and_line_and_logged_with_the_traceback(
    site, fault, caplog
):
    caplog.set_level(logging.ERROR)
    source = f'def faulty():\n    {fault}\n'
    said = site.refusal('faulty', source)
    place = re.fullmatch(rf'faulty raised {re.escape(FAULTS[fault])}.* \((.*):(\d+)\)', said)
    assert place, said
    assert Path(place[1]).read_text().splitlines()[int(place[2]) - 1].strip() in fault
    (record,) = caplog.records
    assert record.getMessage().endswith(said)
    assert 'in faulty' in caplog.text


def test_the_line_is_that_of_the_package_where_an_error_is_raised_in_a_library(site):
    source = """
def faulty():
    scene = mjcf.RootElement()
    scene.worldbody.add('geom', sise=[1])  # here
"""
    said = site.refusal('faulty', source)
    assert said.startswith(
        "faulty raised AttributeError: <geom/>: unknown attribute 'sise'; known: "
    )
    number = int(said.rpartition(':')[2].rstrip(')'))
    assert (HEAD + source).splitlines()[number - 1].endswith('# here')


@pytest.mark.parametrize(
    ('source', 'message'),
    [
        ('import no_such', "ModuleNotFoundError: No module named 'no_such' ({}:1)"),
        ('\nraise SystemExit(2)', 'SystemExit: 2 ({}:2)'),
        ('def f(:', 'SyntaxError: invalid syntax ({}:1)'),
    ],
)
def test_a_module_that_cannot_be_imported_is_an_error_that_says_why(site, source, message):
    module = site.write('bad', source)
    with pytest.raises(ModelError) as caught:
        compose(f'python://{module}:f', [site.package])
    said = message.format(site.folder / site.package / 'bad.py')
    assert str(caught.value) == f'python://{module}:f: cannot import {module}: {said}'


def test_a_module_that_is_not_there_is_an_error_that_says_so(site):
    said = "cannot import scenery: ModuleNotFoundError: No module named 'scenery'"
    with pytest.raises(ModelError, match=f'^python://scenery:f: {re.escape(said)}$'):
        compose('python://scenery:f', ['scenery'])


def test_a_module_whose_import_failed_can_be_corrected(site):
    module = site.write('bad', 'raise ValueError')
    with pytest.raises(ModelError, match='ValueError'):
        compose(f'python://{module}:arena', [site.package])
    site.write('bad', HEAD)
    assert compose(f'python://{module}:arena', [site.package]).xml


def test_what_cannot_be_written_is_an_error_that_says_why(site):
    source = """
class Scene(mjcf.RootElement):
    def to_xml_string(self):
        raise ValueError('not today')
"""
    said = site.refusal('Scene', source)
    assert said.startswith('the model of Scene cannot be written: ValueError: not today (')


def test_an_error_of_the_compiler_names_the_element(site):
    source = """
def loose():
    scene = mjcf.RootElement()
    scene.worldbody.add('body', name='box').add('freejoint')
    return scene
"""
    said = site.refusal('loose', source)
    assert 'mass and inertia of moving bodies must be larger than mjMINVAL' in said
    assert "'box'" in said
