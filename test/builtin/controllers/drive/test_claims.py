"""A joint belongs to one plugin; a second plugin is refused with an error that names the first."""

from __future__ import annotations

from typing import Any

import mujoco
from builtin.controllers.driving import Driving

from mujoco_ros_py.builtin.controllers import Claims, check_free
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.session import Session

TWO_JOINTS = """
<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size="0.1"/></body>
    <body pos="1 0 0"><joint name="b"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="first" joint="a"/><motor name="second" joint="b"/></actuator>
</mujoco>
"""


class Fan(MujocoPlugin[Any]):
    """Claims an actuator, like a user's plugin."""

    def load(self, model: Any, data: Any) -> None:
        """Claims it."""
        self.claims = Claims(actuators=frozenset({self.config['actuator']}))
        check_free(self, self.claims)


def driving(name: str, *joints: str, **config: Any) -> dict[str, Any]:
    return {'type': Driving, 'name': name, 'joints': joints, 'interfaces': ['position'], **config}


def load(*plugins: dict[str, Any]) -> Session:
    return Session(mujoco.MjModel.from_xml_string(TWO_JOINTS), plugins=plugins)


def test_a_second_plugin_for_a_joint_is_refused_and_hears_whose_it_is():
    with load(driving('arm', 'a'), driving('other', 'b', 'a'), driving('third', 'b')) as session:
        assert list(session.plugins) == ['arm', 'third']
        assert session.problems == [
            'other: refused to load: PluginError: joint a belongs to arm (Driving)'
        ]


def test_all_joints_that_are_taken_are_named():
    with load(driving('arm', 'a', 'b'), driving('other', 'b', 'a')) as session:
        assert session.problems[0].endswith('joints a, b belong to arm (Driving)')


def test_an_actuator_belongs_to_the_plugin_of_its_joint_or_of_itself():
    fan = {'type': Fan, 'name': 'fan', 'actuator': 'second'}
    with load(driving('arm', 'b'), fan) as session:
        assert session.problems == [
            'fan: refused to load: PluginError: actuator second belongs to arm (Driving)'
        ]
    with load(fan, driving('arm', 'b')) as session:
        assert session.problems == [
            'arm: refused to load: PluginError: actuator second belongs to fan (Fan)'
        ]


def test_a_plugin_that_is_refused_owns_nothing():
    broken = driving('broken', 'a', 'b', gains={'a': {'p': 1.0, 'angle_wraparound': True}})
    limited = TWO_JOINTS.replace('name="a"', 'name="a" range="-1 1" limited="true"')
    model = mujoco.MjModel.from_xml_string(limited)
    with Session(model, plugins=[broken, driving('arm', 'a')]) as session:
        assert list(session.plugins) == ['arm']


def test_the_joints_of_a_plugin_that_is_unloaded_are_free():
    with load(driving('arm', 'a')) as session:
        assert not session.problems
        session.reload(plugins=[driving('other', 'a', 'b')])
        assert list(session.plugins) == ['other']


def test_a_plugin_that_has_failed_owns_nothing():
    class Witness(MujocoPlugin[Any]):
        """Makes an earlier plugin fail, and records which plugins are ready."""

        def load(self, model: Any, data: Any) -> None:
            arm = self.environment.plugin('arm')
            arm.environment._owner.fail('a subscription', ValueError('lost'))

    with load(
        driving('arm', 'a'), {'type': Witness, 'name': 'witness'}, driving('other', 'a')
    ) as session:
        assert list(session.plugins) == ['witness', 'other']
