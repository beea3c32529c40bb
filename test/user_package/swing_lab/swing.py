"""A rod that is held at an angle, watched, seen by a camera, and asked about."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np

from mujoco_ros_py.plugins import (
    Adaptable,
    MujocoPlugin,
    Reconfigurable,
    Savable,
    compiled,
    new_state,
    ranged,
)
from mujoco_ros_py.simulation.rendering import FreeCamera, Stream, View


@dataclass(frozen=True, kw_only=True)
class Config:
    """What is configured."""

    joint: str
    """The hinge that is moved."""
    target: float = ranged(0.0, minimum=-math.pi, maximum=math.pi, unit='rad', live=True)
    """The angle that the hinge is held at."""
    stiffness: float = ranged(20.0, minimum=0.0, unit='N m/rad', live=True)
    """Torque by distance from the target."""
    eye: bool = False
    """Whether a camera that the rod carries looks along it."""


class Swing(MujocoPlugin[Config], Reconfigurable, Adaptable, Savable):
    """Holds a hinge at an angle, with an integral part; watches how fast it gets."""

    def load(self, model, data):
        self.state = new_state(
            qpos=0,
            dof=0,
            target=self.config.target,
            stiffness=self.config.stiffness,
            integral=0.0,
        )
        self.find(model)
        self.fastest, self.watched_on = 0.0, ''
        self.nearest, self.images = math.inf, 0
        self.environment.follow(200.0, self.watch, thread=True)
        if self.config.eye:
            self.environment.rendering.open(model, self.eye())
        if self.ros:
            from .talk import Talker

            Talker(self)

    def find(self, model):
        """Looks up ids and addresses."""
        joint = model.joint(self.config.joint)
        self.body = int(model.jnt_bodyid[joint.id])
        self.state.qpos, self.state.dof = int(joint.qposadr[0]), int(joint.dofadr[0])

    def adapt(self, model, data):
        self.find(model)

    def configure(self, config):
        self.state.target, self.state.stiffness = config.target, config.stiffness

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        error = state.target - data.qpos[state.qpos]
        torque = state.stiffness * (error + state.integral) - 2.0 * data.qvel[state.dof]
        data.qfrc_applied[state.dof] = torque

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        """Once a step; the control callback is called while the server is paused, too."""
        state.integral += (state.target - data.qpos[state.qpos]) * model.opt.timestep

    def reset(self, model, data):
        self.state.integral, self.fastest = 0.0, 0.0

    def save(self):
        return {'integral': float(self.state.integral), 'fastest': self.fastest}

    def restore(self, saved):
        self.state.integral, self.fastest = saved['integral'], saved['fastest']

    def watch(self, snapshot):
        """Beside the physics, on the plugin's own thread."""
        self.watched_on = threading.current_thread().name
        self.fastest = max(self.fastest, abs(float(snapshot.data.qvel[self.state.dof])))

    def eye(self):
        """What a camera at the hinge sees that looks along the rod."""
        camera = FreeCamera(name='eye', body=self.body, position=np.array([0.0, 0.0, -0.6]))
        return View(
            camera=camera,
            width=64,
            height=48,
            rate_hz=20.0,
            wanted=lambda: Stream.DEPTH,
            deliver=self.see,
        )

    def see(self, frame):
        self.nearest = float(frame.depth.min())
        self.images += 1
