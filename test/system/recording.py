"""Plugins for the system tests, which `plugin_site` installs as a package.

They write the calls of their methods, with arguments, to a file beside this module.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import Hardware, MujocoPlugin, compiled, new_state

RECORD = Path(__file__).with_name('record.txt')


class Recorder(MujocoPlugin):
    """Writes its lifecycle events, under the configured `label`."""

    def __init__(self, config: Any, node: Any, environment: Any) -> None:
        super().__init__(config, node, environment)
        self.write('construct')

    def load(self, model: Any, data: Any) -> bool | None:
        self.write_data('load', data, config=dict(self.config), nq=int(model.nq))
        time.sleep(self.config.get('load_s', 0.0))
        if self.config.get('refusal') == 'raises':
            raise RuntimeError('there is no gripper')
        return self.config.get('refusal') != 'returns False'

    def reset(self, model: Any, data: Any) -> None:
        self.write_data('reset', data)

    def unload(self) -> None:
        self.write('unload')

    def write_data(self, what: str, data: Any, **more: Any) -> None:
        values = {'time': data.time, 'qpos': data.qpos.tolist(), 'qvel': data.qvel.tolist()}
        self.write(what, **values, **more)

    def write(self, what: str, **values: Any) -> None:
        line = json.dumps({'who': self.config.get('label', ''), 'what': what, **values})
        with RECORD.open('a') as file:
            file.write(f'{line}\n')


class Caller(Recorder):
    """Writes every callback as well."""

    def control_callback(self, model: Any, data: Any) -> None:
        self.write('control', time=data.time)

    def passive_callback(self, model: Any, data: Any) -> None:
        self.write('passive', time=data.time)

    def last_stage_callback(self, model: Any, data: Any) -> None:
        self.write('last_stage', time=data.time)


class Gate(Recorder, Hardware):
    """Writes what it reads and writes between the controllers and the robot."""

    def read_callback(self, model: Any, data: Any) -> None:
        self.write('read', time=data.time)

    def write_callback(self, model: Any, data: Any) -> None:
        self.write('write', time=data.time)


class Unmakable(Recorder):
    """A plugin that cannot be constructed."""

    def __init__(self, config: Any, node: Any, environment: Any) -> None:
        raise ValueError('no licence found')


class Slow(Recorder):
    """A plugin whose control callbacks take `control_s` each."""

    def control_callback(self, model: Any, data: Any) -> None:
        time.sleep(self.config['control_s'])


class Probe(MujocoPlugin):
    """Offers the present data by the service `~/data`."""

    def load(self, model: Any, data: Any) -> None:
        self._service = self.node.create_service(Trigger, '~/data', self._answer)

    def unload(self) -> None:
        self.node.destroy_service(self._service)

    def _answer(self, request: Any, response: Any) -> Any:
        response.message = self.environment.submit(_as_json).result()
        response.success = True
        return response


def _as_json(model: Any, data: Any) -> str:
    return json.dumps({'time': data.time, 'qpos': data.qpos.tolist(), 'qvel': data.qvel.tolist()})


class Digit(MujocoPlugin):
    """Appends `digit` to a number in the user data for each point."""

    def control_callback(self, model: Any, data: Any) -> None:
        data.userdata[0] = 10 * data.userdata[0] + self.config['digit']

    def passive_callback(self, model: Any, data: Any) -> None:
        data.userdata[1] = 10 * data.userdata[1] + self.config['digit']

    def last_stage_callback(self, model: Any, data: Any) -> None:
        data.userdata[2] = 10 * data.userdata[2] + self.config['digit']


class CompiledDigit(MujocoPlugin):
    """Appends `digit` in compiled code."""

    def load(self, model: Any, data: Any) -> None:
        self.state = new_state(digit=int(self.config['digit']))

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        data.userdata[0] = 10 * data.userdata[0] + state.digit

    @staticmethod
    @compiled
    def passive_callback(state: Any, model: Any, data: Any) -> None:
        data.userdata[1] = 10 * data.userdata[1] + state.digit

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        data.userdata[2] = 10 * data.userdata[2] + state.digit


class DigitReader(Recorder):
    """Writes the numbers at the end of each step, and clears them."""

    def last_stage_callback(self, model: Any, data: Any) -> None:
        self.write('digits', numbers=data.userdata.astype(int).tolist())
        data.userdata[:] = 0


class Motor(MujocoPlugin):
    """Drives actuator 0 with what comes on `~/force`; `~/calls` says how often it was called."""

    def load(self, model: Any, data: Any) -> None:
        self.state = new_state(force=0.0, calls=0)
        self._subscription = self.node.create_subscription(Float64, '~/force', self._take, 10)
        self._service = self.node.create_service(Trigger, '~/calls', self._tell)

    def unload(self) -> None:
        self.node.destroy_subscription(self._subscription)
        self.node.destroy_service(self._service)

    @staticmethod
    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        state.calls += 1
        data.ctrl[0] = state.force

    def _take(self, message: Float64) -> None:
        self.state.force = message.data

    def _tell(self, request: Any, response: Any) -> Any:
        response.message = str(self.state.calls)
        return response


class Painter(Recorder):
    """Writes down each image that is made; adds a ball with the colour `rgba` at `pos`."""

    def render_callback(self, model: Any, data: Any, scene: Any) -> None:
        self.write('render', time=data.time, geoms=int(scene.ngeom))
        time.sleep(self.config.get('render_s', 0.0))
        if 'rgba' in self.config:
            geom = scene.geoms[scene.ngeom]
            mujoco.mjv_initGeom(
                geom, mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, self.config.get('radius', 0.2)),
                np.array(self.config['pos'], float), np.eye(3).ravel(),
                np.array(self.config['rgba'], np.float32),
            )  # fmt: skip
            geom.emission = 1
            scene.ngeom += 1
