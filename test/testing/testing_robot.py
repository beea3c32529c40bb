"""A small robot for the tests of this folder."""

ROBOT = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="rod" pos="0 0 2">
      <joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02"/>
      <site name="tip" pos="0 0 -0.5"/>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="float"/><geom size="0.1"/></body>
    <body name="eye" pos="0 1 1"><joint name="socket" type="ball"/><geom size="0.1"/></body>
    <body name="target" mocap="true" pos="0 0 3"/>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" gear="2"/></actuator>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <framepos name="place" objtype="site" objname="tip"/>
    <user name="count" dim="1"/>
  </sensor>
  <keyframe><key name="home" qpos="0.7 1 0 1 1 0 0 0 1 0 0 0" ctrl="0.2"/></keyframe>
</mujoco>
"""
