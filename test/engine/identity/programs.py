"""Random programs of modules, constants and functions, and random edits of them."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

KINDS = ('njit', 'njit()', 'inlined', 'jitable', 'overload', 'signature')
MODULES = ('edited_a', 'edited_b', 'edited_c')
OPTIONS = 'edited_options'


@dataclass
class Helper:
    """A function that other functions call; it adds up its `terms`."""

    name: str
    module: str
    kind: str
    default: float
    terms: list[str]

    def source(self) -> str:
        body = f'(x={self.default}):\n    return {" + ".join(self.terms)}\n'
        if self.kind == 'overload':
            implementation = body.replace('\n', '\n    ').rstrip(' ')
            return (
                f'def {self.name}(x={self.default}):\n    pass\n\n'
                f'@overload({self.name})\ndef overload_{self.name}(x={self.default}):\n'
                f'    def implementation{implementation}    return implementation\n'
            )
        decorators = {
            'njit': 'njit',
            'njit()': f'njit(**{OPTIONS}.OPTIONS)',
            'inlined': 'inlined',
            'jitable': 'jitable',
            'signature': "njit('f8(f8)')",
        }
        return f'@{decorators[self.kind]}\ndef {self.name}{body}'


@dataclass
class Program:
    """Modules that import each other; the first one has `make`, which creates the callback."""

    random: random.Random
    constants: dict[str, dict[str, Any]] = field(default_factory=dict)
    helpers: list[Helper] = field(default_factory=list)
    shadowed: set[str] = field(default_factory=set)
    """The modules with their own `abs`."""
    blank_lines: int = 0
    closure: float = 1.0
    fastmath: bool = False
    terms: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.constants = {
            name: {f'C{index}': self.value(index) for index in range(4)} for name in MODULES
        }
        for index in range(self.random.randint(1, 3)):
            self.helpers.append(self.helper(f'f{index}', self.random.choice(MODULES)))
        self.terms = [*self.some_terms(MODULES[0], len(self.helpers)), 'closure']

    def value(self, index: int) -> Any:
        number = self.random.choice([0.5, 1.0, 2.0, 3.25, -1.0, 4.0])
        return [number, int(4 * number), (number, 2 * number), f'np.array([{number}, 1.0])'][index]

    def helper(self, name: str, module: str) -> Helper:
        default = self.random.choice([0.25, 1.0, 5.0])
        count = len(self.helpers)
        kind = self.random.choice(KINDS)
        return Helper(name, module, kind, default, [*self.some_terms(module, count), 'x'])

    def some_terms(self, module: str, callable_: int) -> list[str]:
        count = self.random.randint(1, 3)
        return [self.term(module, callable_) for _ in range(count)]

    def term(self, module: str, callable_: int) -> str:
        """Returns a reference to a constant or to one of the first helpers, or a number."""
        pick = self.random.random()
        if callable_ and pick < 0.4:
            called = self.helpers[self.random.randrange(callable_)]
            place = '' if called.module == module else f'{called.module}.'
            default = '' if called.kind != 'signature' and self.random.random() < 0.5 else '0.5'
            return f'{place}{called.name}({default})'
        if pick < 0.5:
            return f'abs({self.random.choice([-2.0, -7.0])})'
        if pick < 0.6:
            return str(float(self.random.randrange(1, 9)))
        other = self.random.choice(MODULES)
        third = self.random.choice(MODULES)
        place = '' if other == module else f'{other}.'
        if place and third != other and self.random.random() < 0.3:
            place += f'{third}.'
        index = self.random.randrange(4)
        return f'{place}C{index}' + ('[0]' if index > 1 else '')

    def parts(self) -> list[tuple[str, str]]:
        """Returns modules and their code in order, so that definitions come before uses."""
        imports = 'import numpy as np\n' + ''.join(f'import {m}\n' for m in (OPTIONS, *MODULES))
        imports += f'from {OPTIONS} import njit, inlined, jitable, overload\n'
        parts = [(module, imports) for module in MODULES]
        for module, constants in self.constants.items():
            parts += [(module, f'{name} = {value}') for name, value in constants.items()]
        parts += [
            (module, '@njit\ndef abs(x):\n    return 3.0 * x') for module in sorted(self.shadowed)
        ]
        lines = '\n' * self.blank_lines
        parts += [(each.module, lines + each.source()) for each in self.helpers]
        callback = (
            'def make(closure):\n'
            '    def callback(state, model, data):\n'
            f'        state.out = {" + ".join(self.terms)}\n'
            f'    return callback\n\ncallback = make({self.closure})'
        )
        return [*parts, (MODULES[0], callback)]

    def edit(self) -> None:
        """Makes one random edit of the text; the caller must run all modules again."""
        target = self.random.choice([None, *self.helpers])
        terms = self.terms if target is None else target.terms
        module = MODULES[0] if target is None else target.module
        reachable = len(self.helpers) if target is None else self.helpers.index(target)
        edits: list[Callable[[], Any]] = [
            self.edit_constant,
            self.edit_constant,
            lambda: terms.insert(0, self.term(module, reachable)),
            lambda: len(terms) > 2 and terms.pop(0),
            lambda: terms.__setitem__(0, self.term(module, reachable)),
            lambda: setattr(self, 'closure', self.closure + 1),
            lambda: setattr(self, 'fastmath', not self.fastmath),
            lambda: setattr(self, 'blank_lines', self.random.randrange(3)),
            lambda: self.shadowed.symmetric_difference_update({module}),
        ]
        if target is not None:
            edits += [
                lambda: setattr(target, 'default', target.default + 1),
                lambda: self.edit_kind(target),
            ]
        self.random.choice(edits)()

    def edit_constant(self) -> None:
        index = self.random.randrange(4)
        self.constants[self.random.choice(MODULES)][f'C{index}'] = self.value(index)

    def edit_kind(self, helper: Helper) -> None:
        if helper.kind != 'signature':  # a default is not an argument of these types
            helper.kind = self.random.choice([kind for kind in KINDS if kind != 'signature'])


class World:
    """The modules of a program in memory, with numba's decorators or with plain functions."""

    def __init__(self, decorators: dict[str, Any]) -> None:
        self.decorators = decorators
        self.modules: dict[str, ModuleType] = {}

    def run(self, program: Program, file_name: Callable[[str], str]) -> None:
        """Runs all modules again."""
        self.modules = {name: ModuleType(name) for name in (OPTIONS, *MODULES)}
        vars(self.modules[OPTIONS]).update(self.decorators, OPTIONS={'fastmath': program.fastmath})
        before = {name: sys.modules.get(name) for name in self.modules}
        sys.modules.update(self.modules)
        try:
            for name, source in program.parts():
                exec(compile(source, file_name(name), 'exec'), vars(self.modules[name]))
        finally:
            for name, module in before.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module

    @property
    def callback(self) -> Any:
        return self.modules[MODULES[0]].callback
