"""Services about the run: its state, its pace, its plugins, and loading another model."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from mujoco_ros_msgs.msg import PluginStats, StateUint
from mujoco_ros_msgs.srv import GetPluginStats, GetSimInfo, GetStateUint, Reload, SetFloat
from rclpy.parameter import Parameter

from ...errors import ConfigError
from ...plugins.host import HostedPlugin
from ...session import Assembly
from ..services.offered import OfferedServices, Service, always, settled

_READY, _LOADING = range(2)
_WORDS = {_READY: 'Simulation is ready', _LOADING: 'Loading in progress'}
_MOST_STEPS = 2**16 - 1
_NS_PER_S = 1e9
_CONTROL = 'read', 'control', 'write'
"""The callbacks whose costs the message reports as one sum, `ema_steptime_control`."""


def offer_run_services(offered: OfferedServices, factor: Callable[[], float]) -> None:
    """Offers the services about the run; `factor()` returns the measured real-time factor."""
    assembly = offered.assembly

    def set_factor(request: SetFloat.Request) -> Future[None]:
        _set(offered, realtime=float(request.value))
        return assembly.simulation.set_realtime(float(request.value))

    def reload(request: Reload.Request) -> Future[list[str]]:
        if not request.model:
            return assembly.reload()
        return assembly.reload(partial(_name_model, offered, request.model))

    def write_state(response: GetStateUint.Response, _: Any) -> None:
        response.state = _loading_state(assembly)

    def write_info(response: GetSimInfo.Response, _: Any) -> None:
        _write_info(response.state, assembly, factor())

    def write_stats(response: GetPluginStats.Response, _: Any) -> None:
        response.stats = [_stats(hosted) for hosted in assembly.host.plugins]

    state = 'get_loading_request_state'
    offered.offer(  # the first three also answer while a load occupies the physics thread
        Service(GetStateUint, state, settled, write_state, always),
        Service(GetSimInfo, 'get_sim_info', settled, write_info, always),
        Service(GetPluginStats, 'get_plugin_stats', settled, write_stats, always),
        Service(SetFloat, 'set_rt_factor', set_factor),
        Service(Reload, 'reload_model', reload, offered.went_on('reloaded')),
    )


def _set(offered: OfferedServices, **values: Any) -> None:
    """Sets parameters of the server atomically. Raises ConfigError if the server refuses them."""
    parameters = [Parameter(name, value=value) for name, value in values.items()]
    result = offered.node.set_parameters_atomically(parameters)
    if not result.successful:
        raise ConfigError(result.reason)


def _name_model(offered: OfferedServices, model: str) -> Callable[[], None]:
    """Makes the next load read this model; returns a function that undoes the change.

    `model` is the path of a file, or the text of a model.
    """
    config = offered.parameters.config
    before = {'modelfile': config.modelfile, 'mujoco_xml': config.mujoco_xml}
    is_text = model.lstrip().startswith('<')
    named = {'modelfile': '', 'mujoco_xml': model} if is_text else {'modelfile': model}
    _set(offered, **{'mujoco_xml': '', **named})
    return partial(_set, offered, **before)


def _loading_state(assembly: Assembly) -> StateUint:
    state = _LOADING if assembly.loading else _READY
    return StateUint(value=state, description=_WORDS[state])


def _write_info(info: Any, assembly: Assembly, factor: float) -> None:
    status = assembly.simulation.status()
    info.model_path = assembly.model_name
    info.model_valid = status.loads > 0 and not status.failure
    info.load_count = status.loads % (2**16)
    info.loading_state = _loading_state(assembly)
    info.paused = status.paused
    info.pending_sim_steps = min(status.pending_steps, _MOST_STEPS)
    info.rt_measured, info.rt_setting = factor, status.realtime


def _stats(hosted: HostedPlugin) -> PluginStats:
    costs = {method: cost / _NS_PER_S for method, cost in hosted.costs_ns().items()}
    return PluginStats(
        plugin_type=hosted.config.type,
        load_time=hosted.load_time_s,
        reset_time=hosted.reset_time_s or 0.0,
        ema_steptime_control=sum(costs.get(f'{name}_callback', 0.0) for name in _CONTROL),
        ema_steptime_passive=costs.get('passive_callback', 0.0),
        ema_steptime_render=costs.get('render_callback', 0.0),
        ema_steptime_last_stage=costs.get('last_stage_callback', 0.0),
    )
