"""A model with every sensor type of the installed MuJoCo, and the expected topics."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
from geometry_msgs.msg import PointStamped, QuaternionStamped, Vector3Stamped
from mujoco_ros_msgs.msg import ArrayStamped, ScalarStamped

from mujoco_ros_py.engine.engine_plugins.shipped.touch_grid import TouchGrid

TIMESTEP = 0.002
Layout = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sensor of the model, and its expected topic."""

    type: str
    """The name in mjtSensor, without the prefix."""
    mjcf: str
    """The element without its name."""
    message: type
    frame: str = ''
    layout: Layout = field(default=())
    """The labels and sizes of the dimensions of an array."""


def scalar(type_: str, mjcf: str, frame: str = '') -> Wanted:
    return Wanted(type_, mjcf, ScalarStamped, frame)


def vector(type_: str, mjcf: str, frame: str) -> Wanted:
    return Wanted(type_, mjcf, Vector3Stamped, frame)


def point(type_: str, mjcf: str, frame: str) -> Wanted:
    return Wanted(type_, mjcf, PointStamped, frame)


def quaternion(type_: str, mjcf: str, frame: str) -> Wanted:
    return Wanted(type_, mjcf, QuaternionStamped, frame)


def array(type_: str, mjcf: str, frame: str, *layout: tuple[str, int]) -> Wanted:
    return Wanted(type_, mjcf, ArrayStamped, frame, layout)


OBJECT, REFERENCE = 'objtype="site" objname="tip"', 'reftype="geom" refname="block"'
DELAY = 'nsample="8" delay="0.01"'
_FOUND_FORCE_DIST_POS = 'found force[3] dist pos[3]'
_ALL_OF_A_CONTACT = 'found force[3] torque[3] dist pos[3] normal[3] tangent[3] linvel[3] angvel[3]'

SENSORS = {
    'touch': scalar('TOUCH', '<touch site="foot"/>', 'foot'),
    'accelerometer': vector('ACCELEROMETER', '<accelerometer site="tip"/>', 'tip'),
    'velocimeter': vector('VELOCIMETER', '<velocimeter site="tip"/>', 'tip'),
    'gyro': vector('GYRO', '<gyro site="tip"/>', 'tip'),
    'gyro_cut': vector('GYRO', '<gyro site="tip" cutoff="0.2"/>', 'tip'),
    'force': vector('FORCE', '<force site="tip"/>', 'tip'),
    'torque': vector('TORQUE', '<torque site="tip"/>', 'tip'),
    'magnetometer': vector('MAGNETOMETER', '<magnetometer site="tip"/>', 'tip'),
    'ray': scalar('RANGEFINDER', '<rangefinder site="eye"/>', 'eye'),
    'ray_cut': scalar('RANGEFINDER', '<rangefinder site="eye" cutoff="0.3"/>', 'eye'),
    'ray_missing': scalar('RANGEFINDER', '<rangefinder site="sky"/>', 'sky'),
    'ray_fields': array(
        'RANGEFINDER', '<rangefinder site="eye" data="dist point normal"/>', 'eye',
        ('ray', 1), ('dist point[3] normal[3]', 7),
    ),
    'rays': array(
        'RANGEFINDER', '<rangefinder camera="lens" data="dist dir origin point normal depth"/>',
        'lens_camera', ('ray', 6), ('dist dir[3] origin[3] point[3] normal[3] depth', 14),
    ),
    'projection': array(
        'CAMPROJECTION', '<camprojection site="tip" camera="lens"/>', 'lens_camera', ('u v', 2)
    ),
    'jointpos': scalar('JOINTPOS', '<jointpos joint="hinge"/>', 'rod'),
    'jointpos_delayed': scalar('JOINTPOS', f'<jointpos joint="hinge" {DELAY}/>', 'rod'),
    'jointvel': scalar('JOINTVEL', '<jointvel joint="hinge"/>', 'rod'),
    'jointvel_sampled': scalar(
        'JOINTVEL', '<jointvel joint="hinge" nsample="4" interval="0.006"/>', 'rod'
    ),
    'jointvel_between': scalar(
        'JOINTVEL', '<jointvel joint="hinge" nsample="8" delay="0.005" interp="linear"/>', 'rod'
    ),
    'tendonpos': scalar('TENDONPOS', '<tendonpos tendon="cord"/>'),
    'tendonvel': scalar('TENDONVEL', '<tendonvel tendon="cord"/>'),
    'actuatorpos': scalar('ACTUATORPOS', '<actuatorpos actuator="motor"/>'),
    'actuatorvel': scalar('ACTUATORVEL', '<actuatorvel actuator="motor"/>'),
    'actuatorfrc': scalar('ACTUATORFRC', '<actuatorfrc actuator="motor"/>'),
    'jointactuatorfrc': scalar('JOINTACTFRC', '<jointactuatorfrc joint="hinge"/>', 'rod'),
    'tendonactuatorfrc': scalar('TENDONACTFRC', '<tendonactuatorfrc tendon="cord"/>'),
    'ballquat': quaternion('BALLQUAT', '<ballquat joint="ball"/>', 'rod'),
    'ballangvel': vector('BALLANGVEL', '<ballangvel joint="ball"/>', 'hand'),
    'jointlimitpos': scalar('JOINTLIMITPOS', '<jointlimitpos joint="hinge"/>', 'rod'),
    'jointlimitvel': scalar('JOINTLIMITVEL', '<jointlimitvel joint="hinge"/>', 'rod'),
    'jointlimitfrc': scalar('JOINTLIMITFRC', '<jointlimitfrc joint="hinge"/>', 'rod'),
    'tendonlimitpos': scalar('TENDONLIMITPOS', '<tendonlimitpos tendon="cord"/>'),
    'tendonlimitvel': scalar('TENDONLIMITVEL', '<tendonlimitvel tendon="cord"/>'),
    'tendonlimitfrc': scalar('TENDONLIMITFRC', '<tendonlimitfrc tendon="cord"/>'),
    'framepos': point('FRAMEPOS', f'<framepos {OBJECT}/>', 'world'),
    'framepos_in_geom': point('FRAMEPOS', f'<framepos {OBJECT} {REFERENCE}/>', 'block_geom'),
    'framepos_in_body': point(
        'FRAMEPOS', f'<framepos {OBJECT} reftype="xbody" refname="hand"/>', 'hand'
    ),
    'framepos_in_inertia': point(
        'FRAMEPOS', f'<framepos {OBJECT} reftype="body" refname="hand"/>', 'hand_inertial'
    ),
    'framequat': quaternion('FRAMEQUAT', f'<framequat {OBJECT}/>', 'world'),
    'framequat_in_geom': quaternion('FRAMEQUAT', f'<framequat {OBJECT} {REFERENCE}/>',
                                    'block_geom'),
    'framexaxis': vector('FRAMEXAXIS', f'<framexaxis {OBJECT}/>', 'world'),
    'frameyaxis': vector('FRAMEYAXIS', f'<frameyaxis {OBJECT}/>', 'world'),
    'framezaxis': vector('FRAMEZAXIS', f'<framezaxis {OBJECT} {REFERENCE}/>', 'block_geom'),
    'framelinvel': vector('FRAMELINVEL', f'<framelinvel {OBJECT}/>', 'world'),
    'framelinvel_in_geom': vector(
        'FRAMELINVEL', f'<framelinvel {OBJECT} {REFERENCE}/>', 'block_geom'
    ),
    'frameangvel': vector('FRAMEANGVEL', f'<frameangvel {OBJECT}/>', 'world'),
    'framelinacc': vector('FRAMELINACC', f'<framelinacc {OBJECT}/>', 'world'),
    'frameangacc': vector('FRAMEANGACC', f'<frameangacc {OBJECT}/>', 'world'),
    'subtreecom': point('SUBTREECOM', '<subtreecom body="rod"/>', 'world'),
    'subtreelinvel': vector('SUBTREELINVEL', '<subtreelinvel body="rod"/>', 'world'),
    'subtreeangmom': vector('SUBTREEANGMOM', '<subtreeangmom body="rod"/>', 'world'),
    'insidesite': scalar('INSIDESITE', f'<insidesite site="zone" {OBJECT}/>', 'zone'),
    'distance': scalar(
        'GEOMDIST', '<distance geom1="block" geom2="palm" cutoff="1"/>', 'world'
    ),
    'normal': vector('GEOMNORMAL', '<normal geom1="block" geom2="palm" cutoff="1"/>', 'world'),
    'fromto': array(
        'GEOMFROMTO', '<fromto geom1="block" geom2="palm" cutoff="1"/>', 'world',
        ('from to', 2), ('x y z', 3),
    ),
    'contact_found': scalar(
        'CONTACT', '<contact geom1="block" geom2="floor" data="found"/>', 'world'
    ),
    'contact': array(
        'CONTACT',
        '<contact subtree1="box" num="3" reduce="mindist" data="found force dist pos"/>',
        'world', ('slot', 3), (_FOUND_FORCE_DIST_POS, 8),
    ),
    'contact_all': array(
        'CONTACT',
        '<contact site="foot" num="2" data="found force torque dist pos normal tangent linvel '
        'angvel"/>',
        'world', ('slot', 2), (_ALL_OF_A_CONTACT, 23),
    ),
    'contact_net': array(
        'CONTACT', '<contact body1="box" reduce="netforce" data="force"/>', 'world',
        ('slot', 1), ('force[3]', 3),
    ),
    'potential': scalar('E_POTENTIAL', '<e_potential/>'),
    'kinetic': scalar('E_KINETIC', '<e_kinetic/>'),
    'clock': scalar('CLOCK', '<clock/>'),
    'tactile': array(
        'TACTILE', '<tactile geom="pad" mesh="skin"/>', 'pad_geom',
        ('depth slide1 slide2', 3), ('taxel', 9),
    ),
    'grid': array(
        'PLUGIN',
        f'<plugin plugin="{TouchGrid.name}" objtype="site" objname="foot">'
        '<config key="size" value="2 3"/><config key="fov" value="90 45"/></plugin>',
        'foot', ('value', 6),
    ),
    'user': array(
        'USER', '<user dim="2" objtype="site" objname="tip"/>', 'tip', ('value', 2)
    ),
    'user_one': scalar('USER', '<user dim="1" datatype="positive" cutoff="3"/>', 'world'),
    'user_axis': vector(
        'USER', '<user dim="3" datatype="axis" objtype="body" objname="rod"/>', 'rod_inertial'
    ),
    'user_turn': quaternion(
        'USER', '<user dim="4" datatype="quaternion" objtype="xbody" objname="rod"/>', 'rod'
    ),
}  # fmt: skip
_NAMED = '\n    '.join(
    wanted.mjcf.replace(' ', f' name="{name}" ', 1)
    if ' ' in wanted.mjcf
    else wanted.mjcf.replace('/>', f' name="{name}"/>')
    for name, wanted in SENSORS.items()
)
MODEL = f"""
<mujoco>
  <option timestep="{TIMESTEP}" magnetic="0.2 0.1 -0.4"><flag energy="enable"/></option>
  <extension><plugin plugin="{TouchGrid.name}"/></extension>
  <asset>
    <mesh name="skin" scale="0.05 0.05 0.01"
          vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1 0 0 1.2"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <site name="zone" type="sphere" size="0.45" pos="0 0 0.9"/>
    <site name="sky" pos="3 3 1"/>
    <camera name="lens" pos="0.2 -1 0.9" xyaxes="1 0 0 0 0.5 1" resolution="3 2"/>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" limited="true" range="-20 26" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0.2 0 -0.3" size="0.02"/>
      <site name="eye" pos="0.3 0 -0.4" zaxis="0.3 0.1 -1"/>
      <body name="hand" pos="0.2 0 -0.3">
        <joint name="ball" type="ball" damping="0.001"/>
        <geom name="palm" type="box" size="0.03 0.05 0.02" pos="0.03 0.01 0"/>
        <site name="tip" pos="0.06 0.02 -0.01" euler="20 30 40"/>
      </body>
    </body>
    <body name="box" pos="0.5 0 0.12" euler="3 2 0">
      <freejoint/>
      <geom name="block" type="box" size="0.1 0.1 0.1" euler="0 0 20"/>
      <site name="foot" pos="0 0 -0.05" size="0.2 0.2 0.2" type="box"/>
    </body>
    <body name="table" pos="1 0 0.3">
      <geom name="pad" type="mesh" mesh="skin"/>
    </body>
    <body name="marble" pos="1 0.004 0.36">
      <joint type="slide" axis="0 0 1"/><geom size="0.05"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="cord" limited="true" range="-0.4 0.68"><joint joint="hinge" coef="1.5"/></fixed>
  </tendon>
  <actuator>
    <motor name="motor" joint="hinge"/><motor name="winch" tendon="cord"/>
  </actuator>
  <sensor>
    {_NAMED}
  </sensor>
</mujoco>
"""


def not_treated() -> list[str]:
    """Returns the sensor types that MuJoCo has but the model lacks."""
    there = {wanted.type for wanted in SENSORS.values()}
    known = [name.removeprefix('mjSENS_') for name in mujoco.mjtSensor.__members__]
    return [name for name in known if name not in there]
