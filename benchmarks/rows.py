"""The rows of `make bench`, and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the module that measures it, and the limit of its ratio."""

    module: str
    function: str
    """The name of the module's function that yields the rounds."""
    rule: Literal['at least', 'at most']
    limit: float
    unit: str
    """The unit of the two compared values."""

    def met(self, ratio: float) -> bool:
        """Returns whether the ratio is within the limit."""
        return ratio >= self.limit if self.rule == 'at least' else ratio <= self.limit


ROWS = {
    'loop_humanoid': Row('loop', 'measure_humanoid', 'at least', 0.95, 'steps/s'),
    'loop_pendulum': Row('loop', 'measure_pendulum', 'at least', 0.85, 'steps/s'),
    'callback_compiled': Row('callback', 'measure', 'at most', 0.05, 's'),
    'engine_pid': Row('engine_plugins', 'measure_pid', 'at most', 1.05, 's'),
    'engine_sdf': Row('engine_plugins', 'measure_shape', 'at most', 1.15, 's'),
    'engine_touch_grid': Row('engine_plugins', 'measure_touch_grid', 'at most', 1.1, 's'),
    'engine_cable': Row('engine_plugins', 'measure_cable', 'at most', 1.1, 's'),
    'engine_nn': Row('engine_plugins', 'measure_neural_network', 'at most', 0.5, 's'),
    'trajectory_step': Row('trajectory', 'measure', 'at most', 0.05, 's'),
    'jitter': Row('jitter', 'measure', 'at most', 0.05, 's'),
    'clock_received': Row('topics', 'measure_clock', 'at least', 0.999, 'times'),
    'lockstep': Row('topics', 'measure_lockstep', 'at least', 0.8, 'answers/s'),
    'control_echo': Row('control_echo', 'measure_echo', 'at most', 1.5, 's'),
    'control_echo_loaded': Row('control_echo', 'measure_loaded', 'at most', 0.1, 's'),
    'manager_echo': Row('manager_echo', 'measure', 'at most', 2.0, 's'),
    'lateness': Row('lateness', 'measure', 'at most', 1.2, 's'),
    'reset_latency': Row('latency', 'measure', 'at most', 2.0, 's'),
    'reload_guarded': Row('reloading', 'measure', 'at most', 1.5, 's'),
    'startup': Row('startup', 'measure', 'at most', 3.0, 's'),
    'first_start': Row('first_start', 'measure', 'at most', 1.0, 's'),
    'spawn_stall': Row('worlds', 'measure_stall', 'at most', 2.0, 's'),
    'spawn': Row('worlds', 'measure_spawn', 'at most', 2.0, 's'),
    'step_service': Row('step_service', 'measure', 'at most', 1.2, 's'),
    'batch': Row('batch', 'measure', 'at least', 0.9, 'steps/s'),
    'provider_package': Row('resources', 'measure', 'at most', 1.05, 's'),
    'mjcf_import': Row('mjcf_import', 'measure', 'at most', 1.0, 's'),
    'mjcf_parse': Row('mjcf', 'measure_parse', 'at most', 1 / 15, 's'),
    'mjcf_parse_lxml': Row('mjcf', 'measure_parse_lxml', 'at most', 5.0, 's'),
    'mjcf_write': Row('mjcf', 'measure_write', 'at most', 0.1, 's'),
    'mjcf_build': Row('mjcf', 'measure_build', 'at most', 0.2, 's'),
    'mjcf_attach': Row('mjcf', 'measure_attach', 'at most', 0.5, 's'),
    'mjcf_set': Row('mjcf_editing', 'measure_set', 'at most', 1.0, 's'),
    'mjcf_find': Row('mjcf', 'measure_find', 'at most', 1.0, 's'),
    'mjcf_find_attached': Row('mjcf', 'measure_find_attached', 'at most', 1.0, 's'),
    'mjcf_find_below': Row('mjcf', 'measure_find_below', 'at most', 1.0, 's'),
    'mjcf_bind': Row('mjcf_physics', 'measure_bind', 'at most', 1.0, 's'),
    'mjcf_bind_cold': Row('mjcf_physics', 'measure_bind_cold', 'at most', 1.0, 's'),
    'mjcf_memory': Row('mjcf', 'measure_memory', 'at most', 0.25, 'bytes'),
    'camera_rgb': Row('camera', 'measure_images', 'at most', 1.15, 's'),
    'physics_beside_camera': Row('camera', 'measure_physics', 'at least', 0.9, 'steps/s'),
    'testing_step': Row('testing_steps', 'measure', 'at least', 0.3, 'steps/s'),
    'sensors': Row('sensors', 'measure_topics', 'at least', 0.9, 'steps/s'),
    'imperfections': Row('imperfections', 'measure', 'at least', 0.95, 'steps/s'),
    'sensors_1khz': Row('topics', 'measure_sensors', 'at least', 0.99, 'messages'),
    'lidar': Row('sensors', 'measure_scan', 'at most', 1.2, 's'),
    'physics_beside_lidar': Row('sensors', 'measure_physics', 'at least', 0.9, 'steps/s'),
    'record': Row('recordings', 'measure', 'at least', 0.9, 'steps/s'),
    'identify': Row('identification', 'measure', 'at most', 1.1, 's'),
    'sweep_overhead': Row('sweeps', 'measure', 'at most', 1.15, 's'),
    'physics_beside_viewer': Row('viewer', 'measure_physics', 'at least', 0.9, 'steps/s'),
    'viewer_latency': Row('viewer_latency', 'measure', 'at most', 1.5, 's'),
}
"""The rows by name. Rows of engine plugins and of MJCF do not need ROS."""
