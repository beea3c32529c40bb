"""Templates of overloads: each test reports what a new version of numba has lost."""

from __future__ import annotations

import numba
from numba import types
from numba.extending import intrinsic, overload, overload_method

from mujoco_ros_py.engine.foreign.numba import numba_templates

from .losses import lost, told


def test_a_template_compiles_with_the_decorator_that_it_is_given():
    functions = len(told(numba_templates.registered_templates, 0, 0)[0])

    def mine(x): ...

    @overload(mine)
    def implement(x):
        return lambda x: x + 1

    ((_, kind),) = told(numba_templates.registered_templates, functions, 10**9)[0]
    (template,) = kind.templates
    asked = []

    def decorator_of(template):
        asked.append(template)
        return lambda **options: numba.njit

    told(numba_templates.replace_decorator, template, decorator_of)
    for _ in range(2):
        assert numba.njit(lambda x: mine(x))(1) == 2
    assert len(asked) == 1, lost('_impl_cache, which keeps what a template has compiled')
    told(numba_templates.forget_compiled, template)
    assert numba.njit(lambda x: mine(x))(1) == 2
    assert len(asked) == 2, lost('_get_jit_decorator, or clearing _impl_cache')


def test_what_users_register_is_seen_with_its_options():
    functions, attributes = map(len, told(numba_templates.registered_templates, 0, 0))

    def mine(x): ...

    @overload(mine, strict=False, jit_options={'boundscheck': True})
    def implement(x):
        return lambda x: x

    @overload_method(types.Integer, 'doubled_by_mujoco_ros_py')
    def double(x):
        return lambda x: 2 * x

    new_functions, new_attributes = told(
        numba_templates.registered_templates, functions, attributes
    )
    registered = dict(new_functions)
    assert mine in registered, lost('builtin_registry.globals, to which overload adds')
    (template,) = registered[mine].templates
    assert told(numba_templates.implementation_of, template) is implement, lost('_overload_func')
    assert told(numba_templates.attribute_of, template) == ''
    how, jit = told(numba_templates.overload_options, template)
    assert how[0] is False, lost('_strict of an overload')
    assert how[1] is not None, lost('prefer_literal of an overload')
    assert how[2] == 'never', lost('_inline of an overload')
    assert jit['boundscheck'] is True, lost('_jit_options of an overload')
    assert told(numba_templates.keeps_compiled, template), lost('_impl_cache of an overload')
    methods = [
        each for each in new_attributes if told(numba_templates.implementation_of, each) is double
    ]
    assert methods, lost('builtin_registry.attributes, to which overload_method adds')
    assert told(numba_templates.attribute_of, methods[0]) == 'doubled_by_mujoco_ros_py', lost(
        '_attr'
    )


def test_the_function_of_an_intrinsic_is_known():
    @intrinsic
    def nothing(typing):
        return types.void(), lambda context, builder, sig, args: context.get_dummy_value()

    templates = [
        template
        for function, kind in told(numba_templates.registered_templates, 0, 0)[0]
        if function is nothing
        for template in kind.templates
    ]
    assert templates, lost('builtin_registry.globals, to which intrinsic adds')
    found = told(numba_templates.intrinsic_of, templates[0])
    assert getattr(found, '__name__', '') == 'nothing', lost('_definition_func of an intrinsic')
