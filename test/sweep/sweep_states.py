"""States of a small model, for the tests of expressions."""

from mujoco_ros_py.testing import serve

ROD = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="rod" pos="0 0 2">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="1"/>
      <site name="tip" pos="0 0 -0.5"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>
"""


def states(count=40, angle=1.0):
    """Returns states of a rod that falls from an angle, each 10 steps after the one before."""
    with serve(ROD, recording_s=0, positions={'hinge': angle}) as server:
        return [server.state, *(server.step(10) for _ in range(count))]
