"""Machine code for other processors: compiles the LLVM code emitted here for aarch64.

The LLVM code is optimized for this processor, which does not change fences or arithmetic.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import pytest
from numba import types

from mujoco_ros_py.engine import machine_code, own_code
from mujoco_ros_py.engine.compiled import build, system
from mujoco_ros_py.engine.compiled.own_functions import own_function
from mujoco_ros_py.engine.foreign.llvmlite_internals import declared_names, target

PLATFORM = 'aarch64-unknown-linux-gnu'
LIBRARY_CALLS = {'memcpy', 'memmove', 'memset'}
"""Functions that LLVM may call by itself; glibc provides them."""
FENCES = {'acquire': 'dmb ishld', 'release': 'dmb ish', 'seq_cst': 'dmb ish'}
FUSED = re.compile(r'\bfn?(?:madd|msub|mla|mls)\b')


class Code(NamedTuple):
    llvm: str
    """The LLVM code."""
    module: Any
    assembly: str
    """The instructions for aarch64."""


@cache
def machine_of(platform: str) -> Any:
    """Returns LLVM's target machine, for a processor with only the baseline features."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(platform).create_target_machine(opt=3, jit=True)


def for_aarch64(text: str) -> Code:
    """Compiles LLVM code given as text."""
    machine = machine_of(PLATFORM)
    for name, value in ('datalayout', machine.target_data), ('triple', PLATFORM):
        text, count = re.subn(rf'(?m)^target {name} = .*$', f'target {name} = "{value}"', text)
        assert count == 1
    module = llvm.parse_assembly(text)
    return Code(text, module, machine.emit_assembly(module).replace('\t', ' '))


@cache
def own(name: str) -> Code:
    """Returns the code of one of the package's functions."""
    of_plugins = name in own_code.ENGINE_PLUGINS
    make = build.compile_engine_plugin_call if of_plugins else build.compile_kernel
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, 'native_code', lambda library, symbol: library)
        library: Any = make(name, own_code.ARGUMENTS[name])
    return for_aarch64(library.get_llvm_str())


def compiled(function: Any, *arguments: Any) -> Code:
    function.compile(arguments)
    return for_aarch64(function.overloads[arguments].library.get_llvm_str())


@own_function()
def hand_over(place: int, count: int) -> int:
    system.copy_memory(place, place + 64, 8)
    system.release()
    system.copy_memory(place + 8, place + 72, 8)
    system.fence()
    system.copy_memory(place + 16, place + 80, 8)
    system.acquire()
    system.copy_memory(place + 24, place + 88, 8)
    return system.compare_exchange(place, count, count + 1)


def scaled_sum(a, b, c):
    return a * b + c


@pytest.mark.parametrize('changed', range(len(target())))
def test_code_of_a_machine_that_differs_has_another_key(changed, monkeypatch):
    """Several machines may share a home directory, and with it the cache."""
    before, other = machine_code._platform.__wrapped__(), list(target())
    other[changed] += 'another'
    monkeypatch.setattr(machine_code, 'target', lambda: tuple(other))
    assert machine_code._platform.__wrapped__() != before


@pytest.mark.parametrize('name', ['_TIMESPEC', '_POLLFD'])
def test_structs_of_the_operating_system_have_one_layout(name):
    struct = getattr(system, name)
    here, there = (machine_of(each).target_data for each in (target()[0], PLATFORM))
    assert struct.get_abi_size(here) == struct.get_abi_size(there)
    for index in range(len(struct.elements)):
        assert struct.get_element_offset(here, index) == struct.get_element_offset(there, index)


def test_fences_and_exchanges_are_those_of_aarch64():
    code = compiled(hand_over, types.int64, types.int64).assembly
    assert re.findall(r'dmb ish\w*|ldaxr|stlxr', code) == [
        'dmb ish', 'dmb ish', 'dmb ishld', 'ldaxr', 'stlxr'
    ]  # fmt: skip
    ring = own('read_ring')
    wanted = Counter(FENCES[each] for each in re.findall(r'\bfence (\w+)', ring.llvm))
    assert wanted
    assert Counter(re.findall(r'dmb ish\w*', ring.assembly)) >= wanted


def test_a_guarded_call_marks_its_place_in_a_function_of_its_own():
    code = own('call_guarded')
    setjmp = code.module.get_function('_setjmp')
    assert b'returns_twice' in b' '.join(setjmp.attributes)
    guarded = code.assembly.partition('\nmujoco_ros_py.guarded:')[2].partition('.cfi_endproc')[0]
    calls = re.findall(r'\bbl? ?r? +(\w+)', guarded)
    assert calls[3] == '_setjmp'
    assert code.assembly.count('bl _setjmp') == 1
    assert 'b longjmp' in code.assembly


def test_products_and_sums_are_fused_only_where_a_function_permits_that():
    numbers = [types.float64] * 3
    assert not FUSED.search(compiled(own_function()(scaled_sum), *numbers).assembly)
    fused = own_function(fastmath={'contract'})(scaled_sum)
    assert FUSED.search(compiled(fused, *numbers).assembly)


@pytest.mark.slow
def test_all_own_functions_are_compiled_for_aarch64():
    for name in own_code.ARGUMENTS:
        code = own(name)
        called = set(re.findall(r'(?m)^ *bl? +([A-Za-z_][\w.]*)$', code.assembly))
        defined = set(re.findall(r'(?m)^([A-Za-z_][\w.]*):', code.assembly))
        assert called - defined - {*declared_names(code.module)} <= LIBRARY_CALLS, name
        assert not re.search(r'llvm\.x86|\basm\b', code.llvm), name
        assert not FUSED.search(code.assembly), name
