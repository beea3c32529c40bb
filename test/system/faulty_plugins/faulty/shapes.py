"""Classes that are not plugins, or whose methods cannot be called as plugins' methods are."""

# The first parameter of a compiled callback is the state.

from __future__ import annotations

from mujoco_ros_py.plugins import MujocoPlugin, compiled

no_class = 'a string'


class NoPlugin:
    pass


class WrongArguments(MujocoPlugin):
    def control_callback(self, data):
        pass


class WrongConstructor(MujocoPlugin):
    def __init__(self, config):
        super().__init__(config, None, None)


class CallbackIsNoMethod(MujocoPlugin):
    control_callback = 'a string'


class WrongCompiled(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(model, data):
        pass


class NotCompilable(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        print(open)


class CompiledResult(MujocoPlugin):
    @staticmethod
    @compiled
    def control_callback(state, model, data):
        return data.time


class WrongState(MujocoPlugin):
    state = {'gain': 1.0}  # noqa: RUF012  (a mistake, to be refused)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = state.gain
