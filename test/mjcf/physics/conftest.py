from __future__ import annotations

from typing import NamedTuple

import mujoco
import pytest

from mujoco_ros_py import mjcf

EVERYTHING = """
<mujoco model="everything">
  <size nuser_geom="2" memory="1M"/>
  <extension>
    <plugin plugin="mujoco.pid">
      <instance name="slow"><config key="kp" value="1"/></instance>
      <instance name="fast"><config key="kp" value="2"/><config key="ki" value="1"/></instance>
    </plugin>
  </extension>
  <asset>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <mesh name="box" vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 0  1 0 1  0 1 1  1 1 1"/>
    <hfield name="flat" nrow="2" ncol="3" size="1 1 1 1"/>
    <hfield name="hill" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/>
    <texture name="blue" type="2d" builtin="flat" width="2" height="3" rgb1="0 0 1"/>
    <texture name="red" type="2d" builtin="flat" width="4" height="2" rgb1="1 0 0"/>
    <material name="mat" texture="red" rgba="1 2 3 4"/>
    <material name="shiny" shininess="1"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 9"/>
    <geom name="floor" type="plane" size="9 9 1"/>
    <camera name="above" pos="0 0 5"/>
    <body name="ghost" mocap="true" pos="5 0 1"/>
    <body name="spirit" mocap="true" pos="6 0 1"/>
    <body name="base" pos="0 0 3">
      <freejoint name="loose"/>
      <geom name="trunk" size="0.2" user="1 2" material="mat"/>
      <site name="top" pos="0 0 0.2"/>
      <camera name="eye"/>
      <light name="lamp"/>
      <body name="arm" pos="0 0 1">
        <joint name="shoulder" type="ball"/>
        <geom name="bone" type="capsule" size="0.05 0.2"/>
        <body name="hand" pos="0 0 0.5">
          <joint name="wrist" axis="0 1 0" range="-90 90"/>
          <joint name="finger" type="slide" axis="1 0 0"/>
          <geom name="palm" type="box" size="0.1 0.1 0.1" pos="0.1 0 0"/>
          <site name="tip" pos="0 0 0.1"/>
        </body>
      </body>
    </body>
    <flexcomp name="rope" type="grid" dim="1" count="4 1 1" spacing="0.1 0.1 0.1" pos="3 0 1">
      <edge equality="true"/>
    </flexcomp>
    <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing="0.1 0.1 0.1" pos="4 0 1">
      <edge equality="true"/>
    </flexcomp>
  </worldbody>
  <deformable>
    <skin name="hide" vertex="0 0 0  1 0 0  0 1 0" face="0 1 2">
      <bone body="base" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
    <skin name="fur" vertex="0 0 0  1 0 0  0 1 0  1 1 0" face="0 1 2  1 2 3">
      <bone body="arm" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
      <bone body="hand" bindpos="0 0 0" bindquat="1 0 0 0" vertid="3" vertweight="1"/>
    </skin>
  </deformable>
  <contact>
    <pair name="hit" geom1="floor" geom2="trunk"/>
    <pair name="touch" geom1="floor" geom2="palm" margin="0.1"/>
    <exclude name="inner" body1="base" body2="arm"/>
    <exclude name="outer" body1="base" body2="hand"/>
  </contact>
  <equality>
    <connect name="pinned" body1="hand" body2="ghost" anchor="0 0 0" active="false"/>
    <joint name="coupled" joint1="wrist" joint2="finger" active="false"/>
  </equality>
  <tendon>
    <spatial name="string"><site site="top"/><site site="tip"/></spatial>
    <fixed name="sum"><joint joint="wrist" coef="1"/><joint joint="finger" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor name="turn" joint="wrist"/>
    <general name="slide" joint="finger" dyntype="filter" dynprm="1"/>
    <position name="pull" tendon="sum" kp="2" timeconst="1"/>
    <plugin name="servo" joint="wrist" plugin="mujoco.pid" instance="slow"/>
    <plugin name="helper" joint="finger" plugin="mujoco.pid" instance="fast" actdim="1"/>
  </actuator>
  <sensor>
    <framepos name="place" objtype="site" objname="tip"/>
    <jointpos name="angle" joint="wrist"/>
    <framequat name="attitude" objtype="body" objname="hand"/>
    <accelerometer name="felt" site="tip"/>
  </sensor>
  <custom>
    <numeric name="few" data="1 2"/>
    <numeric name="many" data="3 4 5 6"/>
    <text name="short" data="a"/>
    <text name="long" data="abc"/>
    <tuple name="one"><element objtype="body" objname="arm"/></tuple>
    <tuple name="two">
      <element objtype="body" objname="hand" prm="2"/><element objtype="geom" objname="palm"/>
    </tuple>
  </custom>
  <keyframe>
    <key name="early" time="1"/>
    <key name="late" time="2"/>
  </keyframe>
</mujoco>
"""
"""A model with at least two elements of each kind. If a kind has sizes, its elements differ."""


FOUND_AS = {'flex': 'flexcomp', 'skin': 'deformable', 'pair': 'contact', 'exclude': 'contact'}


class Compiled(NamedTuple):
    root: mjcf.RootElement
    physics: mjcf.Physics
    model: mujoco.MjModel
    data: mujoco.MjData

    def elements(self, kind: str) -> list[mjcf.Element]:
        """Returns the elements of this kind in the order of their ids."""
        if kind == 'body':
            return [self.root.worldbody, *self.root.find_all('body')]
        tag = FOUND_AS.get(kind, kind)
        found = self.root.find_all(tag)
        return [each for each in found if tag not in ('deformable', 'contact') or each.tag == kind]


@pytest.fixture
def everything() -> Compiled:
    root = mjcf.from_xml_string(EVERYTHING)
    physics = mjcf.Physics.from_mjcf_model(root)
    physics.set_control([0.1, 0.2, 0.3, 0.4, 0.5])
    physics.step(5)
    physics.forward()
    return Compiled(root, physics, physics.model, physics.data)
