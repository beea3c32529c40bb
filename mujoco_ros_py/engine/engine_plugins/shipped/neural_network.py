"""mujoco_ros_py.neural_network: actuators whose forces are the outputs of a trained network."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ....errors import ResourceError
from ...dense_layer import PANEL, Activation, dense, pack
from ...engine_plugin_records import Capability
from ...inlined import inlined
from ...resources import provides, read
from ...separate import separate
from ...stack_arrays import Numbers
from ..engine_plugin import EnginePlugin
from ..instance import Instance
from ..plugin_attribute import Attribute

_ACTIVATIONS = 'softsign', 'tanh', 'relu', 'elu'
_NONE = int(Activation.NONE)
_NAME = re.compile(r'(?P<prefix>.*?)(?P<number>\d+)\.(?P<kind>weight|bias)')


class NeuralNetwork(EnginePlugin):
    """Computes forces from current and past errors and velocities with a multilayer perceptron.

    The method is from Hwangbo et al., Learning agile and dynamic motor skills for legged robots,
    Science Robotics 4 (2019). The inputs for an actuator are its error (control - length) now and
    at `history` earlier steps, which are `interval` steps apart, followed by its velocities at the
    same steps. A network with these inputs and one output is applied to each actuator of the
    instance in turn. A network for all actuators together has these inputs and one output for each
    actuator; the inputs of all actuators for one step are adjacent.

    The history is in `data.plugin_state`, and starts as zeros. Each step ends by adding the errors
    and velocities from which the forces were last computed. With RK4 these are from near the end
    of the step.
    """

    name = 'mujoco_ros_py.neural_network'
    capabilities = Capability.ACTUATOR
    file = Attribute('')
    activation = Attribute('softsign', choices=_ACTIVATIONS)
    history = Attribute(0, minimum=0)
    interval = Attribute(1, minimum=1)
    position_scale = Attribute(1.0)
    velocity_scale = Attribute(1.0)
    force_scale = Attribute(1.0)

    @classmethod
    def state_size(cls, config: Mapping[str, Any], instance: Instance) -> int:
        """Returns the number of stored values: errors, velocities, and the oldest step's index."""
        steps = config['history'] * config['interval']
        return int(2 * len(instance.actuators) * steps + (steps > 0))

    @classmethod
    def parameters(cls, config: Mapping[str, Any], instance: Instance) -> dict[str, Any]:
        """Returns the layers in order, and memory for the values between them."""
        model, actuators = instance.model, instance.actuators
        count, samples = len(actuators), config['history'] + 1
        if not count:
            raise ValueError('must drive at least one actuator')
        for actuator in actuators[model.actuator_actnum[actuators] != 0]:
            raise ValueError(f'actuator {actuator} must have no dyntype and no actdim')
        layers = list(_layers(config['file']))
        shared = _is_shared(layers, 2 * samples, count, config['file'])
        layers = _widened(layers)
        widths = [layers[0][0].shape[1], *(len(bias) for _, bias in layers)]
        packed = [pack(*layer) for layer in layers]
        rows = count if shared else 1
        return {
            'weights': np.concatenate(packed),  # first, because the record's start is aligned
            'between': np.zeros((2, rows * max(widths))),
            **{name: value for name, value in config.items() if not isinstance(value, str)},
            'activation': int(Activation[config['activation'].upper()]),
            'controls': model.actuator_ctrladr[actuators],
            'outputs': model.actuator_outadr[actuators],
            'state': int(model.plugin_stateadr[instance.id]),
            'rows': rows,
            'row': widths[0] if shared else 1,
            'sample': 1 if shared else count,
            'result': widths[-1] if shared else 1,
            'widths': np.array(widths),
            'starts': np.cumsum([0, *map(len, packed)]),
        }

    @staticmethod
    def compute_actuator(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Computes the forces of all actuators in one pass."""
        _gather(p, model, data, p.between[0])
        _compute_layers(p.weights, p.starts, p.widths, p.between, p.rows, p.activation)
        force, outputs, values = data.actuator_force, p.outputs, p.between[1 - len(p.widths) % 2]
        scale, stride = p.force_scale, p.result
        for actuator in range(len(outputs)):
            force[outputs[actuator]] = scale * values[actuator * stride]

    @staticmethod
    def advance(p: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Stores this step in the history, replacing the oldest step."""
        count, steps = len(p.controls), p.history * p.interval
        if steps == 0:
            return
        step = _oldest(p, data)
        place = p.state + 2 * count * step
        _see(p, model, data, data.plugin_state[place:], 1, count, 1.0, 1.0)
        step += 1
        data.plugin_state[p.state + 2 * count * steps] = step if step < steps else 0


@separate
def _compute_layers(
    weights: Numbers,
    starts: NDArray[np.int64],
    widths: NDArray[np.int64],
    between: Numbers,
    rows: int,
    activation: int,
) -> None:
    """Computes the layers in order, alternating between the two rows of `between`."""
    last = len(widths) - 2
    for k in range(last + 1):
        values, results = between[k % 2], between[1 - k % 2]
        applied = activation if k < last else _NONE
        dense(weights[starts[k] :], values, results, rows, widths[k], widths[k + 1], applied)


@inlined
def _see(
    p: np.record, model: mujoco.MjModel, data: mujoco.MjData, target: Numbers, stride: int,
    velocities: int, position_scale: float, velocity_scale: float,
) -> None:  # fmt: skip
    """Writes the error of each actuator, `stride` elements apart, and its velocity.

    The velocity is `velocities` elements after the error.
    """
    controls, outputs = p.controls, p.outputs
    ctrl, length, velocity = data.ctrl, data.actuator_length, data.actuator_velocity
    limited, limits = model.actuator_ctrllimited, model.actuator_ctrlrange
    for actuator in range(len(controls)):
        control, output, place = controls[actuator], outputs[actuator], actuator * stride
        wanted = ctrl[control]
        if limited[control]:
            wanted = max(limits[control, 0], min(limits[control, 1], wanted))
        target[place] = position_scale * (wanted - length[output])
        target[place + velocities] = velocity_scale * velocity[output]


@inlined
def _gather(p: np.record, model: mujoco.MjModel, data: mujoco.MjData, inputs: Numbers) -> None:
    """Writes the inputs of the network into `inputs`."""
    count, row, velocities = len(p.controls), p.row, (p.history + 1) * p.sample
    position_scale, velocity_scale = p.position_scale, p.velocity_scale
    _see(p, model, data, inputs, row, velocities, position_scale, velocity_scale)
    step, state = _oldest(p, data), data.plugin_state
    for sample in range(1, p.history + 1):
        step -= p.interval
        if step < 0:
            step += p.history * p.interval
        start, before = sample * p.sample, p.state + 2 * count * step
        then = state[before : before + 2 * count]
        now = inputs[start:]
        for actuator in range(count):
            now[actuator * row] = position_scale * then[actuator]
            now[actuator * row + velocities] = velocity_scale * then[count + actuator]


@inlined
def _oldest(p: np.record, data: mujoco.MjData) -> int:
    """Returns the index of the oldest stored step, which the next step replaces."""
    steps = p.history * p.interval
    if steps == 0:
        return 0
    place = data.plugin_state[p.state + 2 * len(p.controls) * steps]
    return int(place) if 0.0 <= place < steps else 0  # users may have set the state to anything


Layer = tuple[Numbers, Numbers]
"""The weights (outputs, inputs) and the biases (outputs,) of a layer."""


def _layers(file: str) -> Iterator[Layer]:
    """Reads an .npz file with names as in PyTorch: `0.weight`, `0.bias`, `2.weight` and so on.

    Raises ValueError that lists the contents of the file.
    """
    arrays = _arrays(file)
    found: dict[int, dict[str, Numbers]] = {}
    prefixes = set()
    for name, array in arrays.items():
        match = _NAME.fullmatch(name)
        if match:
            prefixes.add(match['prefix'])
            found.setdefault(int(match['number']), {})[match['kind']] = array
    there = ', '.join(f'{name} {array.shape}' for name, array in arrays.items()) or 'nothing'
    if len(prefixes) != 1 or sum(map(len, found.values())) != len(arrays):
        raise ValueError(
            f'{file} must contain <number>.weight and <number>.bias of one network, got {there}'
        )
    width = None
    for number, layer in sorted(found.items()):
        weight, bias = layer.get('weight', np.zeros(0)), layer.get('bias')
        if weight.ndim != 2 or 0 in weight.shape or width not in (None, weight.shape[1]):
            wanted = '(outputs, inputs)' if width is None else f'(outputs, {width})'
            raise ValueError(f'{number}.weight in {file} must be {wanted}, got {there}')
        width = len(weight)
        if bias is not None and bias.shape != (width,):
            raise ValueError(f'{number}.bias in {file} must be ({width},), got {there}')
        yield weight, np.zeros(width) if bias is None else bias


def _widened(layers: list[Layer]) -> list[Layer]:
    """Pads narrow layers with zeros to the width of a panel, except a last layer of one output."""
    widened, inputs, last = [], layers[0][0].shape[1], len(layers) - 1
    for k, (weight, bias) in enumerate(layers):
        outputs = max(PANEL, len(bias)) if k < last or len(bias) > 1 else 1
        more = 0, outputs - len(bias)
        widened.append((np.pad(weight, (more, (0, inputs - weight.shape[1]))), np.pad(bias, more)))
        inputs = outputs
    return widened


def _arrays(file: str) -> dict[str, Numbers]:
    if not file:
        raise ValueError('file must be given: an .npz file with weights and biases')
    try:
        source = io.BytesIO(read(file)) if provides(file) else file
        # Pickle could run code, and a model may come from an untrusted source.
        with np.load(source, allow_pickle=False) as arrays:
            found = {name: np.asarray(arrays[name], float) for name in arrays}
    except ResourceError as error:
        raise ValueError(str(error)) from None
    except (OSError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f'file must be an .npz file of numbers; {file}: {error}') from None
    for name, array in found.items():
        if not np.isfinite(array).all():
            raise ValueError(f'{name} in {file} must be finite')
    return found


def _is_shared(layers: list[Layer], inputs: int, count: int, file: str) -> bool:
    """Returns whether the network is for a single actuator instead of all of them together."""
    came = layers[0][0].shape[1], len(layers[-1][0])
    for shared, factor in ((True, 1), (False, count)):
        if came == (factor * inputs, factor):
            return shared
    raise ValueError(
        f'{file} must have {inputs} inputs and 1 output for each actuator, or {count * inputs} and'
        f' {count} for all, got {came[0]} and {came[1]}'
    )
