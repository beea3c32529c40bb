"""Internals of numba that the engine needs: each test reports what a new version has lost."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from deadline import DEADLINE_S
from numba import types

from mujoco_ros_py.engine.foreign.numba import numba_code
from mujoco_ros_py.engine.foreign.numba import numba_internals as internals
from mujoco_ros_py.engine.foreign.numba.numba_internals import INTERNALS

from .compiled_libraries import library_of
from .losses import NUMBA, lost, told

ENGINE = Path(internals.__file__).parents[2]
FOLDER = Path(internals.__file__).parent
PUBLIC = {'_exit', '_fields', '_fields_', '_getvalue', '_name'}
"""Documented names of Python and numba that begin with an underscore."""


@numba.njit
def decorated(x):
    return x + 1


@numba.njit('int64(int64)')
def with_given_types(x):
    return x + 1


def list_of_runtime_functions():
    return list(internals.runtime_functions())


@pytest.mark.parametrize('name', INTERNALS)
def test_numba_has_what_is_imported_with_all_members_that_are_used(name):
    internal = INTERNALS[name]
    try:
        found = getattr(internals, name)
    except ImportError:
        pytest.fail(lost(f'{internal.module}.{name}, which {internal.use}'))
    missing = [member for member in internal.members if not hasattr(found, member)]
    assert not missing, lost(f'{missing} of {internal.module}.{name}, which {internal.use}')


def test_an_internal_that_is_gone_is_told_with_version_and_use(monkeypatch):
    gone = internals.Internal('numba.core', 'does all the work')
    monkeypatch.setitem(INTERNALS, 'gone', gone)
    message = f'^{re.escape(NUMBA)} has no numba.core.gone, which does all the work$'
    with pytest.raises(ImportError, match=message):
        internals.gone  # noqa: B018


def test_a_name_that_is_none_of_the_internals_is_no_attribute():
    with pytest.raises(AttributeError, match='has no attribute'):
        internals.nothing  # noqa: B018


def test_all_members_of_cgutils_that_the_engine_uses_are_listed():
    texts = (path.read_text() for path in (ENGINE / 'compiled').glob('*.py'))
    used = {name for text in texts for name in re.findall(r'\bcgutils\.(\w+)', text)}
    assert used == set(INTERNALS['cgutils'].members)


def test_no_other_file_of_the_engine_looks_inside_numba():
    inside = re.compile(r'\bnumba\.(core|np|misc|cpython)\b|\bnumba\._[a-z]|_nrt_python')
    found = [
        path.name
        for path in ENGINE.rglob('*.py')
        if inside.search(path.read_text()) and path.parent != FOLDER
    ]
    assert found == []


def test_no_other_file_of_the_engine_uses_a_private_attribute_that_is_not_listed():
    used, own = set(PUBLIC), set(PUBLIC)
    for path in ENGINE.rglob('*.py'):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        own |= {name for node in nodes for name in defined(node)}
        if path.parent != FOLDER:
            used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    listed = {member for internal in INTERNALS.values() for member in internal.members}
    private = {name for name in used if re.match('_[^_]', name)}
    assert private - own - listed == set()


def defined(node: ast.AST) -> Iterator[str]:
    """Returns the names that a file of the engine gives to its own functions and attributes."""
    if isinstance(node, ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield from [node.attr] * (getattr(node.value, 'id', '') in ('self', 'cls'))


def test_a_decorated_function_has_its_type():
    assert told(internals.type_of, decorated) is numba.typeof(decorated), lost('_numba_type_')


def test_the_runtime_tells_its_functions_by_the_names_that_code_refers_to():
    functions = dict(told(list_of_runtime_functions))
    library, _ = library_of(lambda n: np.zeros(n)[0] / n, types.int64)
    module = told(numba_code.final_module, library)
    wanted = {
        each.name
        for each in module.functions
        if each.is_declaration and each.name.startswith(('NRT_', 'numba_'))
    }
    assert wanted, lost('functions NRT_* and numba_* that code with arrays calls')
    assert wanted <= set(functions), lost(f'{sorted(wanted - set(functions))} in c_helpers')
    known = {name: llvm.address_of_symbol(name) for name in wanted}
    assert known == {name: functions[name] for name in wanted}


def test_a_setting_that_is_changed_while_the_process_runs_is_seen(monkeypatch):
    assert 'OPT' not in dict(told(internals.changed_settings, tuple(os.environ.items())))
    monkeypatch.setenv('NUMBA_OPT', '1')
    changed = dict(told(internals.changed_settings, tuple(os.environ.items())))
    assert 'OPT' in changed, lost('numba.core.config with reload_config')


IMPORTING = """
import sys
import threading

from mujoco_ros_py.engine.foreign.numba.numba_internals import changed_settings
from mujoco_ros_py.engine.foreign.numba.numba_templates import registered_templates

assert 'numba' not in sys.modules
sys.setswitchinterval(1e-6)
thread = threading.Thread(target=__import__, args=('numba',))
thread.start()
looks = 0
while thread.is_alive():
    assert changed_settings(('told',)) == []
    registered_templates(0, 0)
    looks += 1
print(looks, len(registered_templates(0, 0)[0]) > 100)
"""


def test_what_another_thread_imports_is_seen_when_it_is_whole():
    command = [sys.executable, '-c', IMPORTING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S)
    assert not done.returncode, done.stderr
    looks, whole = done.stdout.split()
    assert int(looks) > 0
    assert whole == 'True'


def test_decorated_functions_are_known_and_tell_how_they_are_compiled():
    compiler = importlib.import_module('numba.core.compiler').Compiler
    assert told(internals.is_dispatcher, decorated), lost(
        'the class CPUDispatcher in core.registry'
    )
    assert not told(internals.is_dispatcher, lost)
    assert told(internals.pipeline_of, decorated) is compiler, lost('_compiler.pipeline_class')
    assert not told(internals.has_given_types, decorated), lost('_can_compile of a dispatcher')
    assert told(internals.has_given_types, with_given_types), lost('_can_compile of a dispatcher')


def test_types_are_known():
    assert told(internals.is_type, types.float64), lost('the package numba.core.types')
    assert not told(internals.is_type, float)


def test_numba_calls_a_function_before_each_pass_and_ends_with_what_that_raises(request):
    class EndError(BaseException):
        pass

    def end():
        raise EndError

    listeners = numba.core.event._registered['numba:run_pass']
    request.addfinalizer(lambda before=list(listeners): listeners.__setitem__(slice(None), before))
    told(internals.before_each_pass, end)
    with pytest.raises(EndError):
        numba.njit(types.int64(types.int64))(lambda x: x + 1)
