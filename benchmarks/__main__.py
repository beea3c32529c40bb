"""Measures the server against what a user would have without it, as ratios."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

from .result import LeftOutError, Result

ROWS: dict[str, tuple[str, str, float]] = {
    'loop_humanoid': ('loop', 'measure_humanoid', 0.95),
    'loop_pendulum': ('loop', 'measure_pendulum', 0.85),
    'callback_compiled': ('callback', 'measure', 0.05),
    'engine_pid': ('engine_plugins', 'measure_pid', 1.05),
    'engine_sdf': ('engine_plugins', 'measure_shape', 1.15),
    'engine_touch_grid': ('engine_plugins', 'measure_touch_grid', 1.1),
    'engine_cable': ('engine_plugins', 'measure_cable', 1.1),
    'engine_nn': ('engine_plugins', 'measure_neural_network', 0.3),
    'trajectory_step': ('trajectory', 'measure', 0.05),
    'jitter': ('jitter', 'measure', 0.05),
    'clock_received': ('topics', 'measure_clock', 0.999),
    'lockstep': ('topics', 'measure_lockstep', 0.8),
    'control_echo': ('control_echo', 'measure_echo', 1.5),
    'control_echo_loaded': ('control_echo', 'measure_loaded', 0.1),
    'lateness': ('lateness', 'measure', 1.2),
    'reset_latency': ('latency', 'measure', 2.0),
    'reload_guarded': ('reloading', 'measure', 1.5),
    'startup': ('startup', 'measure', 3.0),
    'spawn_stall': ('worlds', 'measure_stall', 2.0),
    'spawn': ('worlds', 'measure_spawn', 2.0),
    'step_service': ('step_service', 'measure', 1.2),
    'batch': ('batch', 'measure', 0.9),
    'provider_package': ('resources', 'measure', 1.05),
    'mjcf_import': ('mjcf_import', 'measure', 1.0),
    'mjcf_parse': ('mjcf', 'measure_parse', 1 / 15),
    'mjcf_parse_lxml': ('mjcf', 'measure_parse_lxml', 5.0),
    'mjcf_write': ('mjcf', 'measure_write', 0.1),
    'mjcf_build': ('mjcf', 'measure_build', 0.2),
    'mjcf_attach': ('mjcf', 'measure_attach', 0.5),
    'mjcf_set': ('mjcf_editing', 'measure_set', 1.0),
    'mjcf_find': ('mjcf', 'measure_find', 1.0),
    'mjcf_find_attached': ('mjcf', 'measure_find_attached', 1.0),
    'mjcf_find_below': ('mjcf', 'measure_find_below', 1.0),
    'mjcf_bind': ('mjcf_physics', 'measure_bind', 1.0),
    'mjcf_bind_cold': ('mjcf_physics', 'measure_bind_cold', 1.0),
    'mjcf_memory': ('mjcf', 'measure_memory', 0.25),
    'camera_rgb': ('camera', 'measure_images', 1.15),
    'physics_beside_camera': ('camera', 'measure_physics', 0.9),
    'testing_step': ('testing_steps', 'measure', 0.3),
    'sensors': ('sensors', 'measure_topics', 0.9),
    'sensors_1khz': ('sensors', 'measure_fast', 0.99),
    'lidar': ('sensors', 'measure_scan', 1.2),
    'physics_beside_lidar': ('sensors', 'measure_physics', 0.9),
    'record': ('recordings', 'measure', 0.9),
    'sweep_overhead': ('sweeps', 'measure', 1.15),
    'physics_beside_viewer': ('viewer', 'measure_physics', 0.9),
    'viewer_latency': ('viewer_latency', 'measure', 1.5),
}
"""The rows by name: module, function and limit; those of engine plugins and MJCF need no ROS."""


def _measure(name: str) -> Result:
    module, function, limit = ROWS[name]
    result: Result = getattr(import_module(f'.{module}', __package__), function)(name, limit)
    return result


def main() -> int:
    """Prints a line as each row is done, then the ratios alone; returns 1 if one is missed."""
    parser = argparse.ArgumentParser('python -m benchmarks', description=__doc__)
    parser.add_argument('rows', nargs='*', help=f'of {", ".join(ROWS)}; none: all')
    names = parser.parse_args().rows or list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        parser.error(f'no row {", ".join(unknown)}; there are {", ".join(ROWS)}')
    os.environ.setdefault('ROS_DOMAIN_ID', '99')
    print(f'{"row":22}{"ratio":>8}  {"wanted":16}measured', flush=True)
    results = []
    for name in names:
        try:
            result = _measure(name)
        except LeftOutError as reason:
            print(f'{name:22}{"-":>8}  left out: {reason}', flush=True)
            continue
        results.append(result)
        wanted = f'{result.rule} {result.limit:g}'
        missed = '' if result.met else '  MISSED'
        print(f'{name:22}{result.ratio:8.3f}  {wanted:16}{result.measured}{missed}', flush=True)
    print()
    for result in results:
        print(f'bench: {result.name} {result.ratio:.4g}')
    return 0 if all(result.met for result in results) else 1


if __name__ == '__main__':
    sys.exit(main())
