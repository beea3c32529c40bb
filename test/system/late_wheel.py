"""A wheel with a motor, whose commands and states can be late, and calls of its server."""

from __future__ import annotations

from contextlib import contextmanager

from simulation_interfaces.srv import StepSimulation
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool

from .harness import seconds, wait_until

MODEL = """<mujoco><option timestep="0.001"/>
  <worldbody>
    <body><joint name="wheel" axis="0 0 1" damping="0.1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="wheel" ctrlrange="-9 9"/></actuator></mujoco>"""
PROBE = '''
import numpy as np
from std_srvs.srv import Trigger

from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, compiled, new_state


class Probe(MujocoPlugin, Adaptable):
    """Notes the steps in which the control has changed."""

    def load(self, model, data):
        self.state = new_state(changes=np.zeros((64, 2)), count=0, last=0.0)
        self.ros.create_service(Trigger, '~/changes', self.answer)

    def adapt(self, model, data):
        pass

    def reset(self, model, data):
        self.state.count, self.state.last = 0, 0.0

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        if data.ctrl[0] != state.last and state.count < 64:
            state.last = data.ctrl[0]
            state.changes[state.count, 0] = data.time - model.opt.timestep
            state.changes[state.count, 1] = data.ctrl[0]
            state.count += 1

    def answer(self, request, response):
        changes = self.state.changes[:self.state.count]
        response.message = '; '.join(f'{value:g} at {time:.3f}' for time, value in changes)
        return response
'''
PLUGINS = [
    {'type': 'mujoco_ros_py/ActuatorCommands', 'name': 'motors', 'actuators': ['motor']},
    {'type': 'mujoco_ros_py/JointStates', 'name': 'states', 'rate': 1000.0},
    {'type': 'mujoco_ros_py/JointStates', 'name': 'true', 'topic': 'true_states', 'rate': 1000.0},
    {'type': 'probes/Probe', 'name': 'probe'},
]


@contextmanager
def commands(client):
    publisher = client.node.create_publisher(Float64MultiArray, '/motors/commands', 100)
    wait_until(lambda: publisher.get_subscription_count() == 1, 'the subscription')
    yield publisher
    client.run_in_executor(client.node.destroy_publisher, publisher)


def step(client, count: int) -> None:
    answer = client.call(StepSimulation, 'step_simulation', StepSimulation.Request(steps=count))
    assert answer.result.result == 1, answer.result.error_message


def changes(client) -> str:
    return client.trigger('/probe/changes').message


def status(client) -> dict[str, str]:
    """The values of the plugin in the diagnostics."""
    found = client.diagnostics()
    return next(values for name, (_, _, values) in found.items() if name == 'plugin bus')


def held(client) -> int:
    return int(status(client)['messages held'])


def switch(client, entry: str, active: bool) -> str:
    answer = client.call(SetBool, f'/bus/{entry}', SetBool.Request(data=active))
    assert answer.success, answer.message
    return answer.message


def stamps(messages) -> set[int]:
    """The stamps of messages in milliseconds."""
    return {round(seconds(message.header.stamp) * 1000) for message in messages}
