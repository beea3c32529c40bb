"""A plugin stays through a reload of the same model, and keeps everything that it has."""

from __future__ import annotations

import gc
import weakref
from queue import Queue

import pytest
from deadline import DEADLINE_S, until
from simulation.exchanged import Received, Sent

from mujoco_ros_py.plugins import Adaptable, MujocoPlugin, Stoppable, new_state
from mujoco_ros_py.session import Session
from mujoco_ros_py.simulation.rendering import Stream, View

BALL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body><joint type="slide" axis="0 0 1"/><geom size="0.2"/></body>
  </worldbody>
</mujoco>
"""


class Stays(MujocoPlugin, Adaptable):
    """Records the times of a camera's images, and of the snapshots that it follows."""

    def load(self, model, data):
        self.model = weakref.ref(model)
        self.state = new_state(last=0.0)
        self.images, self.moments = Queue(), Queue()
        self.environment.follow(100.0, lambda moment: self.moments.put(moment.time))
        if self.config.get('camera'):
            self.environment.rendering.open(model, self.view())

    def adapt(self, model, data):
        """Nothing is looked up in the model."""

    def view(self):
        return View(
            camera=0,
            width=32,
            height=24,
            rate_hz=10.0,
            wanted=lambda: Stream.RGB,
            deliver=lambda frame: self.images.put(float(frame.data.time)),
        )


def reload(session: Session, plugin: Stays) -> None:
    """Loads the same model again; the plugin stays."""
    session.reload()
    assert session.plugins == {'stays': plugin}


def await_time(times: Queue[float], time_s: float) -> None:
    """Waits for this time; in a pause the time of before may come again."""
    while times.get(timeout=DEADLINE_S) != pytest.approx(time_s):
        pass


@pytest.mark.usefixtures('graphics')
def test_it_gets_images_of_the_new_model_from_time_zero_and_those_of_the_old_hold_no_memory():
    listed = [{'type': Stays, 'camera': True}]
    with Session(mujoco_xml=BALL, plugins=listed, render_offscreen=True) as session:
        plugin = session.plugins['stays']
        for _ in range(3):
            await_time(plugin.images, 0.0)
            session.step(50)
            await_time(plugin.images, 0.1)
            reload(session, plugin)
        until(lambda: (gc.collect(), plugin.model())[1] is None)


def test_it_follows_the_new_model_from_time_zero():
    with Session(mujoco_xml=BALL, plugins=[Stays]) as session:
        plugin = session.plugins['stays']
        for _ in range(2):
            await_time(plugin.moments, 0.0)
            session.step(50)
            await_time(plugin.moments, 0.1)
            reload(session, plugin)


def fill(state, model, data, message):
    message.value = state.last + data.qpos[0]


def read(state, model, data, message):
    state.last = message.value


def test_its_compiled_topics_fill_and_read_messages_with_the_new_model():
    with Session(mujoco_xml=BALL, plugins=[Stays]) as session:
        plugin = session.plugins['stays']
        exchange = session._assembly.simulation.exchange
        sent, received = Sent(fill, 100.0, plugin.state), Received(read, plugin.state)
        exchange.add_outlet(sent.outlet)
        exchange.add_inlet(received.inlet)
        for load in range(1, 4):
            received.waiting.append(100.0 * load)
            session.step(50)
            assert plugin.state.last == 100.0 * load
            due = 0.1, 100.0 * load + session.snapshot().data.qpos[0]
            until(lambda due=due: sent.messages and sent.messages[-1][:2] == pytest.approx(due))
            reload(session, plugin)
        assert (sent.faults, received.faults) == ([], [])


class Stops(MujocoPlugin, Adaptable, Stoppable):
    """Records its emergency stops."""

    def load(self, model, data):
        self.told = []

    def adapt(self, model, data):
        self.told.append('adapt')

    def reset(self, model, data):
        self.told.append('reset')

    def emergency_stop(self, model, data, stopped):
        self.told.append('stop' if stopped else 'release')


def test_a_reload_ends_an_emergency_stop_and_a_change_does_not():
    with Session(mujoco_xml=BALL, plugins=[Stops]) as session:
        plugin = session.plugins['stops']
        plugin.environment.emergency_stop(True).result(DEADLINE_S)
        session.change()
        session.reload()
        assert session.plugins == {'stops': plugin}
        assert plugin.told == ['stop', 'adapt', 'adapt', 'release', 'reset']
