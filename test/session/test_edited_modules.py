"""Edited modules are imported again, either all of them or none."""

from __future__ import annotations

import gc
import importlib
import pickle
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import PluginError
from mujoco_ros_py.session.module_renewal import Renewal
from mujoco_ros_py.user_modules import import_user_module


class RefusedError(Exception):
    """Ends a renewal, like a model that does not compile."""


@contextmanager
def refused() -> Iterator[None]:
    """A renewal that is undone at its end."""
    with suppress(RefusedError), Renewal():
        yield
        raise RefusedError


@pytest.fixture
def robot(site):
    """A package whose module `plugin` imports `helper`, and whose other modules do not."""
    with Renewal():  # as at the start of a server, after which sources are kept
        pass
    site.edit('helper', 'GAIN = 1')
    site.edit('base', 'class Base: pass')
    site.edit('plugin', 'from .base import Base\nfrom .helper import GAIN\nclass Plugin(Base): 0')
    site.edit('other', 'from .base import Base\nclass Other(Base): pass')
    site.enter('plugin')
    site.enter('other')
    return site


def renew(*modules: str) -> set[str]:
    """Renews these modules; returns the own names of the modules that were removed."""
    with Renewal() as renewal:
        for module in modules:
            import_user_module(module)
        renewal.complete()
    return {name.partition('.')[2] for name in renewal.old}


def all_of(site) -> dict[str, object]:
    return {name: each for name, each in sys.modules.items() if name.startswith(site.package)}


def attributes(site) -> dict[str, dict[str, object]]:
    return {name: dict(vars(module)) for name, module in all_of(site).items()}


def test_nothing_is_imported_anew_without_an_edit(robot):
    before = all_of(robot)
    robot.edit('helper', 'GAIN = 1')
    assert renew(f'{robot.package}.plugin') == set()
    assert all_of(robot) == before


def test_an_edit_that_changes_neither_time_nor_size_is_seen(robot):
    robot.edit('plugin', 'GAIN = 2')
    robot.edit('plugin', 'GAIN = 3')
    assert renew(f'{robot.package}.plugin') == {'', 'plugin'}
    assert robot.now('plugin').GAIN == 3
    robot.edit('plugin', 'GAIN = 4')
    renew(f'{robot.package}.plugin')
    assert robot.now('plugin').GAIN == 4


def test_what_imports_an_edited_module_is_imported_anew_with_it_and_nothing_else(robot):
    base, other = robot.now('base'), robot.now('other')
    robot.edit('helper', 'GAIN = 2')
    assert renew(f'{robot.package}.plugin') == {'', 'helper', 'plugin'}
    assert robot.now('plugin').GAIN == 2
    assert (robot.now('base'), robot.now('other')) == (base, other)
    assert robot.now('plugin').Base is robot.now('other').Base


def test_two_plugins_have_the_same_new_base(robot):
    robot.edit('base', 'class Base:\n    new = True')
    renew(f'{robot.package}.plugin', f'{robot.package}.other')
    assert robot.now('plugin').Plugin.new
    assert issubclass(robot.now('other').Other, robot.now('plugin').Base)


WAYS = [
    'from .helper import GAIN as value',
    'from . import helper\nvalue = helper.GAIN',
    'import {0}.helper\nvalue = {0}.helper.GAIN',
    'import {0}.helper as helper\nvalue = helper.GAIN',
    'from .helper import *\nvalue = GAIN',
    'from {0} import helper\nvalue = helper.GAIN',
    'import importlib\nvalue = importlib.import_module("{0}." + "helper").GAIN',
    'from .between import value',
    'from .again import helper\nvalue = helper.GAIN',
    'if True:\n    from .helper import GAIN as value',
]


def test_a_module_may_import_another_in_any_way(robot):
    robot.edit('between', 'from .helper import GAIN as value')
    robot.edit('again', 'from . import helper')
    for number, source in enumerate(WAYS):
        robot.edit(f'user{number}', source.format(robot.package))
        assert robot.enter(f'user{number}').value == 1
    robot.edit('helper', 'GAIN = 2')
    renew(*(f'{robot.package}.user{number}' for number in range(len(WAYS))))
    for number, source in enumerate(WAYS):
        assert robot.now(f'user{number}').value == 2, source


def test_what_is_imported_inside_of_a_function_counts_and_has_to_be_importable(robot):
    robot.edit('late', 'def gain():\n    from .helper import GAIN\n    return GAIN')
    late = robot.enter('late')
    assert late.gain() == 1
    robot.edit('helper', 'GAIN = 2')
    renew(f'{robot.package}.late', f'{robot.package}.plugin')
    assert robot.now('late') is not late
    assert robot.now('late').gain() == 2

    path = robot.edit('helper', 'GAIN = 3\nGAIN +')
    before = all_of(robot)
    with pytest.raises(PluginError) as caught:
        renew(f'{robot.package}.late')
    assert str(caught.value) == (
        f'cannot import {robot.package}.helper again: SyntaxError: invalid syntax ({path}:2)'
    )
    assert all_of(robot) == before


def test_a_module_that_nobody_imports_any_more_may_be_broken_or_gone(robot):
    for source in ('GAIN +', None):
        robot.edit('plugin', 'from .helper import GAIN')
        robot.edit('helper', 'GAIN = 1')
        renew(f'{robot.package}.plugin')
        robot.edit('plugin', 'GAIN = 5')
        file = robot.edit('helper', source or '')
        if source is None:
            file.unlink()
        renew(f'{robot.package}.plugin')
        assert robot.now('plugin').GAIN == 5
        assert robot.now('helper') is None
        assert not hasattr(robot.now(), 'helper')


def test_a_new_module_is_found_although_its_folder_was_read_before(robot):
    robot.edit('plugin', 'from .fresh import GAIN')
    robot.edit('fresh', 'GAIN = 7')
    renew(f'{robot.package}.plugin')
    assert robot.now('plugin').GAIN == 7


def test_a_package_is_imported_anew_with_its_modules_and_has_those_that_stay(robot):
    old, other = robot.now(), robot.now('other')
    robot.edit('__init__', 'VERSION = 2')
    assert renew(f'{robot.package}.plugin') == {''}
    assert robot.now() is not old
    assert robot.now().VERSION == 2
    assert robot.now().other is other
    assert not hasattr(old, 'VERSION')


def test_what_takes_something_from_the_package_itself_is_imported_anew(robot):
    robot.edit('versioned', 'from . import VERSION')
    robot.edit('__init__', 'VERSION = 1')
    renew(f'{robot.package}.versioned')
    robot.edit('__init__', 'VERSION = 2')
    assert renew(f'{robot.package}.versioned') == {'', 'versioned'}
    assert robot.now('versioned').VERSION == 2


def test_packages_inside_of_packages_are_followed(robot):
    robot.edit('arm/__init__', 'from .joint import LIMIT')
    robot.edit('arm/joint', 'LIMIT = 1')
    robot.edit('arm/motor', '')
    robot.edit('user', 'from .arm import LIMIT\nfrom .arm import motor')
    robot.enter('user')
    motor = robot.now('arm.motor')
    robot.edit('arm/joint', 'LIMIT = 2')
    assert renew(f'{robot.package}.user') == {'', 'arm', 'arm.joint', 'user'}
    assert robot.now('user').LIMIT == 2
    assert robot.now('arm').motor is motor is robot.now('arm.motor')


def test_another_plugins_package_that_imports_from_an_edited_one_follows(robot):
    other = robot.new_package()
    robot.write(f'{other}/plugin', f'from {robot.package}.base import Base')
    robot.write(f'{other}/apart', '')
    for module in ('plugin', 'apart'):
        import_user_module(f'{other}.{module}')
    apart = sys.modules[f'{other}.apart']
    robot.edit('base', 'class Base:\n    new = True')
    renew(f'{robot.package}.plugin', f'{other}.plugin')
    assert sys.modules[f'{other}.plugin'].Base is robot.now('plugin').Base
    assert sys.modules[f'{other}.apart'] is apart


def test_other_packages_stay_as_they_are(robot):
    library = robot.new_package()
    robot.write(f'{library}/numbers', 'VALUE = 1')
    robot.edit('plugin', f'from {library}.numbers import VALUE')
    renew(f'{robot.package}.plugin')
    robot.write(f'{library}/numbers', 'VALUE = 2')
    assert renew(f'{robot.package}.plugin') == set()
    assert robot.now('plugin').VALUE == 1


def test_a_namespace_package_is_no_obstacle(site):
    with Renewal():
        pass
    site.write(f'{site.package}_space/arm/plugin', 'from .helper import GAIN')
    site.write(f'{site.package}_space/arm/helper', 'GAIN = 1')
    name = f'{site.package}_space.arm.plugin'
    import_user_module(name)
    site.write(f'{site.package}_space/arm/helper', 'GAIN = 2')
    renew(name)
    assert sys.modules[name].GAIN == 2
    assert sys.modules[f'{site.package}_space.arm'].helper.GAIN == 2


def test_a_module_of_its_own_is_imported_anew(site):
    name = f'{site.package}_alone'
    with Renewal():
        pass
    site.write(name, 'GAIN = 1')
    import_user_module(name)
    site.write(name, 'GAIN = 2')
    renew(name)
    assert sys.modules[name].GAIN == 2


def test_modules_without_a_file_of_source_are_left_alone(robot):
    made = type(sys)(f'{robot.package}.made')
    sys.modules[made.__name__] = made
    robot.edit('plugin', 'from .made import __name__ as name')
    renew(f'{robot.package}.plugin')
    robot.edit('plugin', 'from .made import __name__ as other')
    renew(f'{robot.package}.plugin')
    assert robot.now('plugin').other == made.__name__
    assert robot.now('made') is made


def test_this_package_is_never_imported_anew():
    name = 'mujoco_ros_py.builtin.controllers.commands.joint_controller'
    module, package = import_user_module(name), sys.modules['mujoco_ros_py']
    assert renew(name) == set()
    assert (sys.modules[name], sys.modules['mujoco_ros_py']) == (module, package)


def test_what_was_imported_by_others_before_is_imported_anew_once(site):
    site.edit('plugin', 'GAIN = 1')
    with Renewal():
        pass
    first = importlib.import_module(f'{site.package}.plugin')
    site.edit('plugin', 'GAIN = 2')  # which nobody can tell from what was imported
    assert site.enter('plugin') is first
    assert renew(f'{site.package}.plugin') == {'plugin'} | {''}
    assert site.now('plugin').GAIN == 2
    assert renew(f'{site.package}.plugin') == set()


FAULTS = {
    'GAIN +': 'SyntaxError: invalid syntax',
    'import no_such': "ModuleNotFoundError: No module named 'no_such'",
    'from .base import Bas': 'ImportError: cannot import name',
    '1 / 0': 'ZeroDivisionError: division by zero',
    'raise SystemExit(3)': 'SystemExit: 3',
}


@pytest.mark.parametrize(
    ('module', 'fault'),
    [(('plugin', 'helper')[number % 2], fault) for number, fault in enumerate(FAULTS)],
)
def test_a_module_that_does_not_import_leaves_everything_as_it_was(robot, module, fault):
    before, names = all_of(robot), attributes(robot)
    robot.edit('helper', 'GAIN = 2')
    robot.edit(module, f'GAIN = 3\n{fault}\n')
    with pytest.raises(BaseException, match=FAULTS[fault].partition(':')[2].strip() or '.*'):
        renew(f'{robot.package}.other', f'{robot.package}.plugin')
    assert all_of(robot) == before
    assert attributes(robot) == names

    robot.edit('helper', 'GAIN = 4')
    robot.edit('plugin', 'from .helper import GAIN')
    renew(f'{robot.package}.plugin')
    assert robot.now('plugin').GAIN == 4


def test_what_fails_after_the_import_takes_it_back_with_what_was_imported_first_then(robot):
    before, names, other = all_of(robot), attributes(robot), robot.new_package()
    robot.edit('helper', 'GAIN = 2')
    robot.edit('fresh', '')
    robot.edit('plugin', 'from . import fresh, helper')
    with refused():
        robot.enter('plugin')
        import_user_module(other)
        assert robot.now('plugin').helper.GAIN == 2
    assert all_of(robot) == before
    assert attributes(robot) == names
    assert other not in sys.modules


def test_a_package_of_others_is_not_taken_back(robot):
    other = robot.new_package()
    module = importlib.import_module(other)
    with refused():
        import_user_module(other)
    assert sys.modules[other] is module


def test_old_code_imports_old_modules_until_the_end_and_new_code_new_ones(robot):
    late = 'def gains():\n    from .helper import GAIN\n    from . import helper\n'
    late += f'    import {robot.package}.helper\n    import {robot.package}.helper as other\n'
    late += f'    import json\n    assert json\n    top = {robot.package}.helper\n'
    late += '    return {GAIN, helper.GAIN, top.GAIN, other.GAIN}'
    robot.edit('late', late)
    old = robot.enter('late').gains
    assert old() == {1}
    robot.edit('helper', 'GAIN = 2')
    seen = []
    with refused():
        new = robot.enter('late').gains
        thread = threading.Thread(target=lambda: seen.extend([old(), new()]))
        thread.start()
        thread.join(DEADLINE_S)
        seen += [old(), new()]
    assert seen == [{1}, {2}, {1}, {2}]
    assert old() == {1}


def test_imports_are_those_of_python_again_afterwards(robot):
    import builtins

    before = builtins.__import__
    robot.edit('helper', 'GAIN = 2')
    with Renewal():
        assert builtins.__import__ is not before
    assert builtins.__import__ is before


def test_renewals_follow_one_another(robot):
    robot.edit('helper', 'GAIN = 2')
    order, entered = [], threading.Event()

    def other() -> None:
        entered.set()
        with Renewal():
            order.append('other')

    with Renewal():
        thread = threading.Thread(target=other)
        thread.start()
        assert entered.wait(DEADLINE_S)
        order.append('first')
    thread.join(DEADLINE_S)
    assert order == ['first', 'other']


def test_classes_of_new_modules_can_be_pickled_and_found_by_their_hints(robot):
    robot.edit(
        'plugin',
        'from __future__ import annotations\n'
        'from dataclasses import dataclass, KW_ONLY\n'
        '@dataclass\nclass Inner:\n    x: int = 0\n'
        '@dataclass\nclass Config:\n    _: KW_ONLY\n    inner: Inner | None = None\n',
    )
    with Renewal():
        plugin = robot.enter('plugin')
        config = plugin.Config(inner=plugin.Inner(2))
        assert pickle.loads(pickle.dumps(config)) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_nothing_keeps_old_modules_alive(robot):
    old = [weakref.ref(robot.now(name)) for name in ('helper', 'plugin', '')]
    robot.edit('helper', 'GAIN = 2')
    robot.edit('plugin', 'TABLE = bytearray(1000)\nfrom .helper import GAIN\n')
    with refused():
        discarded = weakref.ref(robot.enter('plugin'))
    gc.collect()
    assert discarded() is None
    renew(f'{robot.package}.plugin')
    gc.collect()
    assert [each() for each in old] == [None] * 3


def test_a_program_asks_for_code_without_changing_what_is_known_of_a_module(robot):
    robot.edit('helper', 'GAIN = 2')
    module = robot.now('helper')
    assert module.__spec__.loader.source == b'GAIN = 1'
    assert 'GAIN' in module.__spec__.loader.get_code(module.__name__).co_names
    assert renew(f'{robot.package}.plugin') == {'', 'helper', 'plugin'}


def test_no_bytecode_is_written_that_a_later_start_would_take_for_the_source(robot):
    robot.edit('helper', 'GAIN = 2')
    renew(f'{robot.package}.plugin')
    assert not list(robot.folder.glob('**/*.pyc'))
