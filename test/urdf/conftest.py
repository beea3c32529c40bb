from __future__ import annotations

import mujoco
import pytest

from mujoco_ros_py.urdf import UrdfModel, read_urdf

ARM = """
<robot name="arm">
  <link name="base">
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.01"/>
    </inertial>
    {upper}
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="1.5" effort="10" velocity="2"/>
    {elbow}
  </joint>
  {more}
</robot>
"""


class Made:
    """A robot that was read, and its model compiled."""

    def __init__(self, made: UrdfModel) -> None:
        self.mjcf, self.left_out = made
        text, assets = self.mjcf.to_xml_string(), self.mjcf.get_assets()
        self.model = mujoco.MjModel.from_xml_string(text, assets)
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    @property
    def faults(self) -> list[str]:
        """The sentences of `left_out`, except for the one about the velocity limits of the arm."""
        return [text for text in self.left_out if not text.startswith('velocity limits, which')]

    def told(self, text: str) -> str:
        """Returns the only sentence of `left_out` that contains this text."""
        (found,) = (sentence for sentence in self.left_out if text in sentence)
        return found


@pytest.fixture(scope='session')
def made():
    """Returns a function that reads a URDF and compiles its model."""

    def make(text: str, **options) -> Made:
        return Made(read_urdf(text, **options))

    return make


@pytest.fixture(scope='session')
def arm(made):
    """Returns a function that makes the arm of two links, with additional XML in some places."""

    def make(upper: str = '', elbow: str = '', more: str = '', **options) -> Made:
        return made(ARM.format(upper=upper, elbow=elbow, more=more), **options)

    return make
