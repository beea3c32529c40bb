"""Compiled: `dense`, which keeps the sums of a tile of rows and outputs in vector registers.

Numba's vectorised loops cannot do this, as they write every sum back after each product.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from ..dense_layer import LANES, PANEL, Activation, dense
from ..foreign.numba_internals import cgutils

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_NUMBERS = ir.DoubleType().as_pointer()
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_FIRST = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
_SOFTSIGN, _RELU = _I64(int(Activation.SOFTSIGN)), _I64(int(Activation.RELU))
_TANH, _ELU = int(Activation.TANH), int(Activation.ELU)
_HIGH, _MIDDLE = 6, 3
"""The numbers of rows of the tiles that have several rows."""


def _tile(rows: int, vectors: int) -> Callable[..., None]:
    """Makes a function for this many rows and vectors of outputs, from addresses and extents."""

    @intrinsic
    def tile(
        typing: Any, weights: Any, bias: Any, source: Any, target: Any, inputs: Any, outputs: Any,
        activation: Any,
    ) -> Any:  # fmt: skip
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pointers = [builder.inttoptr(address, _NUMBERS) for address in args[:4]]
            _emit(builder, rows, vectors, *pointers, *args[4:])
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), emit

    return tile  # type: ignore[no-any-return]


def _emit(
    builder: Any, rows: int, vectors: int, weights: Any, bias: Any, source: Any, target: Any,
    inputs: Any, outputs: Any, activation: Any,
) -> None:  # fmt: skip
    def vector(start: Any, index: int) -> Any:
        place = builder.gep(start, [_I64(index * LANES)])
        return builder.bitcast(place, _VECTOR.as_pointer())

    width = min(PANEL, vectors * LANES)
    panels = [
        builder.gep(weights, [builder.mul(_I64(start), inputs)])
        for start in range(0, vectors * LANES, width)
    ]

    places = [(row, index) for row in range(rows) for index in range(vectors)]
    sums = {place: cgutils.alloca_once(builder, _VECTOR) for place in places}  # registers later
    for place in places:
        builder.store(builder.load(vector(bias, place[1]), align=8), sums[place])
    add = _function(builder, 'fmuladd', 3)
    with cgutils.for_range(builder, inputs) as loop:
        offset = builder.mul(loop.index, _I64(width))
        lines = [builder.gep(panel, [offset]) for panel in panels]
        addresses = [vector(line, index) for line in lines for index in range(width // LANES)]
        factors = [builder.load(address, align=8) for address in addresses]
        for row in range(rows):
            number = builder.add(builder.mul(_I64(row), inputs), loop.index)
            value = _everywhere(builder, builder.load(builder.gep(source, [number])))
            for index in range(vectors):
                total = sums[row, index]
                product = builder.call(add, [value, factors[index], builder.load(total)])
                builder.store(product, total)

    def write(function: Callable[[Any], Any]) -> None:
        for row, index in places:
            line = builder.gep(target, [builder.mul(_I64(row), outputs)])
            value = function(builder.load(sums[row, index]))
            builder.store(value, vector(line, index), align=8)

    softsign = builder.icmp_signed('==', activation, _SOFTSIGN)
    with builder.if_else(softsign) as (then, otherwise):
        with then:
            write(lambda x: _softsign(builder, x))
        with otherwise:
            relu = builder.icmp_signed('==', activation, _RELU)
            least = builder.select(relu, _constant(0.0), _constant(-math.inf))
            write(lambda x: builder.select(builder.fcmp_ordered('<', x, least), least, x))


def _softsign(builder: Any, x: Any) -> Any:
    """Emits x / (1 + |x|), with products instead of divisions for vectors of eight numbers.

    Eight divisions take as long as fifty products.
    """
    one = _constant(1.0)
    divisor = builder.fadd(one, builder.call(_function(builder, 'fabs', 1), [x]))
    if LANES != 8:
        return builder.fdiv(x, divisor)
    add, less = _function(builder, 'fmuladd', 3), builder.fneg(divisor)
    inverse = builder.call(_inverse_14(builder), [divisor, _constant(0.0), ir.Constant(_I8, -1)])
    for _ in range(2):  # Newton's method doubles the bits: 14, 28, 53
        error = builder.call(add, [less, inverse, one])
        inverse = builder.call(add, [inverse, error, inverse])
    return builder.fmul(x, inverse)


def _inverse_14(builder: Any) -> Any:
    """Returns LLVM's intrinsic for 1 / x, accurate to 14 bits."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR, _I8])
    return cgutils.get_or_insert_function(builder.module, kind, 'llvm.x86.avx512.rcp14.pd.512')


def _function(builder: Any, name: str, count: int) -> Any:
    """Declares a function of LLVM for vectors."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * count)
    return cgutils.get_or_insert_function(builder.module, kind, f'llvm.{name}.v{LANES}f64')


def _constant(value: float) -> Any:
    return ir.Constant(_VECTOR, [value] * LANES)


def _everywhere(builder: Any, value: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, value, _I32(0))
    return builder.shuffle_vector(first, nothing, _FIRST)


def _band(rows: int, vectors: int) -> Callable[..., None]:
    """Makes a function for this many rows and all their outputs, in tiles up to this wide."""
    wide, panel, last = _tile(rows, vectors), _tile(rows, PANEL // LANES), _tile(rows, 1)
    width = vectors * LANES

    @register_jitable
    def band(
        weights: int, bias: int, source: int, target: int, inputs: int, outputs: int,
        activation: int,
    ) -> None:  # fmt: skip
        left = outputs
        while left > 0:
            if left >= width:
                wide(weights, bias, source, target, inputs, outputs, activation)
                count = width
            elif left >= PANEL:
                panel(weights, bias, source, target, inputs, outputs, activation)
                count = PANEL
            else:
                last(weights, bias, source, target, inputs, outputs, activation)
                count = LANES
            left -= count
            weights += 8 * count * inputs
            bias += 8 * count
            target += 8 * count

    return band  # type: ignore[no-any-return]


# With 16 registers 12 or 8 of them hold sums; with 32, for eight numbers each, 24 hold sums. These
# are enough that some are added to while other additions are not finished.
_high, _middle, _single = _band(_HIGH, LANES // 2), _band(_MIDDLE, 4), _band(1, 8)


@overload(dense)
def _dense(
    weights: Any, source: Any, target: Any, rows: Any, inputs: Any, outputs: Any, activation: Any
) -> Callable[..., None]:
    def implementation(
        weights: Any, source: Any, target: Any, rows: Any, inputs: Any, outputs: Any,
        activation: Any,
    ) -> None:  # fmt: skip
        first, bias = weights.ctypes.data, weights.ctypes.data + 8 * inputs * outputs
        values, results = source.ctypes.data, target.ctypes.data
        row = 0
        while row < rows:
            if row + _HIGH <= rows:
                _high(first, bias, values, results, inputs, outputs, activation)
                count = _HIGH
            elif row + _MIDDLE <= rows:
                _middle(first, bias, values, results, inputs, outputs, activation)
                count = _MIDDLE
            else:
                _single(first, bias, values, results, inputs, outputs, activation)
                count = 1
            row += count
            values += 8 * count * inputs
            results += 8 * count * outputs
        if activation == _TANH:
            for k in range(rows * outputs):
                target[k] = 1.0 - 2.0 / (math.exp(2.0 * target[k]) + 1.0)
        elif activation == _ELU:
            for k in range(rows * outputs):
                target[k] = target[k] if target[k] > 0.0 else math.expm1(target[k])

    return implementation
