"""Models as URDF: readable by other programs, with the same frames when read back."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine.resources import memory, register_shipped
from mujoco_ros_py.urdf import read_urdf, to_urdf

from .test_meshes import OBJ

ROBOT = """
<mujoco model="robot">
  <compiler angle="radian" autolimits="true"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="base" pos="1 2 3" quat="0.5 0.5 0.5 -0.5">
      <geom size="0.1 0.2 0.3" type="box" rgba="1 0 0 1"/>
      <body name="upper" pos="0 0 0.5" euler="0.1 1.5707963267948966 0.4">
        <joint name="shoulder" axis="1 2 3" pos="0.1 -0.2 0.3" range="-1 2" ref="0.4"
          actuatorfrcrange="-7 7" damping="0.5" frictionloss="0.25"/>
        <geom type="capsule" size="0.05 0.2" euler="0 1 0"/>
        <body name="wrist" pos="0.2 0 0">
          <joint name="slide" type="slide" axis="0 1 1" ref="0.1"/>
          <joint name="roll" axis="1 0 0" pos="0 0.1 0"/>
          <joint name="yaw"/>
          <geom type="cylinder" size="0.05 0.1" pos="0 0 0.1" group="3"/>
          <body pos="0 0 0.3"><geom type="ellipsoid" size="0.1 0.1 0.2" contype="0"
            conaffinity="0"/><geom size="0.01"/></body>
        </body>
      </body>
    </body>
    <body name="pointer" pos="0 0 1"><joint name="turn" pos="0 0 0.2" axis="1 0 0"/>
      <geom size="0.1" mass="2"/></body>
  </worldbody>
  <equality>
    <joint joint1="turn" joint2="shoulder" polycoef="0.1 -2 0 0 0"/>
  </equality>
</mujoco>
"""


def compiled(made):
    return mujoco.MjModel.from_xml_string(made.to_xml_string(), made.get_assets())


def same_frames(model, other, names=None, count=20):
    """Compares the poses of bodies in both models at the same random joint positions."""
    one, two = mujoco.MjData(model), mujoco.MjData(other)
    random = np.random.default_rng(2)
    for _ in range(count):
        for joint in range(model.njnt):
            name = model.joint(joint).name
            one.joint(name).qpos[0] = two.joint(name).qpos[0] = random.uniform(-2, 2)
        mujoco.mj_kinematics(model, one)
        mujoco.mj_kinematics(other, two)
        for name in names or (model.body(k).name for k in range(1, model.nbody)):
            if name:
                np.testing.assert_allclose(two.body(name).xpos, one.body(name).xpos, atol=1e-7)
                np.testing.assert_allclose(two.body(name).xmat, one.body(name).xmat, atol=1e-7)


def test_what_is_read_back_has_the_same_frames_whatever_joints_a_body_has():
    model = mujoco.MjModel.from_xml_string(ROBOT)
    back, left_out = read_urdf(to_urdf(model))
    again = compiled(back)
    same_frames(model, again)
    assert again.body('wrist').mass == pytest.approx(model.body('wrist').mass)
    told = 'masses and inertias too small', 'velocity limits'
    assert [text for text in left_out if not text.startswith(told)] == []


def test_limits_resistance_and_proportional_joints_are_written():
    again = compiled(read_urdf(to_urdf(mujoco.MjModel.from_xml_string(ROBOT))).model)
    shoulder = again.joint('shoulder')
    assert list(shoulder.range) == [-1, 2]
    assert list(again.jnt_actfrcrange[shoulder.id]) == [-7, 7]
    assert (shoulder.damping[0], shoulder.frictionloss[0]) == (0.5, 0.25)
    assert again.eq_data[0][:2] == pytest.approx([0.1 + 2 * 0.4, -2])
    assert again.joint('yaw').limited == 0


def test_what_actuators_can_exert_is_the_limit_of_effort():
    names = 'range', 'motor', 'both', 'servo', 'held', 'none'
    bodies = ''.join(
        f'<body><joint name="{name}"{more}/><geom size="0.1"/></body>'
        for name in names
        for more in [' actuatorfrcrange="-2 2"' if name == 'held' else '']
    )
    model = mujoco.MjModel.from_xml_string(f"""
    <mujoco><worldbody>{bodies}</worldbody><actuator>
      <position joint="range" gear="2" forcerange="-5 4"/>
      <motor joint="motor" gear="3" ctrlrange="-1 2"/>
      <motor joint="both" ctrlrange="-1 1"/><general joint="both" forcerange="-3 3"/>
      <position joint="servo" ctrlrange="-1 1"/>
      <motor joint="held" ctrlrange="-9 9"/>
    </actuator></mujoco>""")
    root = ElementTree.fromstring(to_urdf(model))
    found = {
        joint.get('name'): float(limit.get('effort'))
        for joint in root.findall('joint')
        if (limit := joint.find('limit')) is not None
    }
    assert found == {'range': 10, 'motor': 6, 'both': 4, 'held': 2}


def test_links_and_joints_have_the_names_of_tf_and_of_joint_states():
    root = ElementTree.fromstring(to_urdf(mujoco.MjModel.from_xml_string(ROBOT)))
    assert root.get('name') == 'robot'
    links = [link.get('name') for link in root.findall('link')]
    assert links[:2] == ['world', 'base']
    assert {'upper', 'wrist', 'unnamed_body_4', 'pointer'} <= set(links)
    joints = [joint.get('name') for joint in root.findall('joint')]
    assert {'shoulder', 'slide', 'roll', 'yaw', 'turn'} <= set(joints)
    assert len({*links, *joints}) == len(links) + len(joints)


def test_bodies_that_move_freely_have_floating_joints():
    text = """
    <mujoco><worldbody>
      <body name="free"><freejoint name="loose"/><geom size="0.1"/>
        <body name="ball"><joint type="ball" pos="0 0 1"/><geom size="0.1"/></body></body>
      <body name="hand" mocap="true"/>
    </worldbody></mujoco>"""
    root = ElementTree.fromstring(to_urdf(mujoco.MjModel.from_xml_string(text)))
    kinds = {
        (joint.find('parent').get('link'), joint.find('child').get('link')): joint.get('type')
        for joint in root.findall('joint')
    }
    assert kinds == {
        ('world', 'free'): 'floating',
        ('free', 'ball_unnamed_joint_1'): 'floating',
        ('ball_unnamed_joint_1', 'ball'): 'fixed',
        ('world', 'hand'): 'floating',
    }


def test_geoms_that_are_seen_are_visuals_and_those_that_touch_are_collisions():
    model = mujoco.MjModel.from_xml_string(ROBOT)
    root = ElementTree.fromstring(to_urdf(model))

    def shapes(link, kind):
        found = root.findall(f"link[@name='{link}']/{kind}/geometry/*")
        return [each.tag for each in found]

    assert shapes('world', 'visual') == []
    assert shapes('base', 'visual') == shapes('base', 'collision') == ['box']
    assert shapes('upper', 'visual') == ['cylinder', 'sphere', 'sphere']
    assert (shapes('wrist', 'visual'), shapes('wrist', 'collision')) == ([], ['cylinder'])
    assert shapes('unnamed_body_4', 'visual') == ['sphere']
    assert '<capsule ' in to_urdf(model, capsules=True)
    name = root.find("link[@name='base']/visual/material").get('name')
    assert root.find(f"material[@name='{name}']/color").get('rgba') == '1.0 0.0 0.0 1.0'


def test_shapes_are_where_they_are_in_the_model():
    model = mujoco.MjModel.from_xml_string(ROBOT)
    again = compiled(read_urdf(to_urdf(model, capsules=True)).model)
    one, two = mujoco.MjData(model), mujoco.MjData(again)
    for each, data in ((model, one), (again, two)):
        data.qpos[:] = model.qpos0 if each is model else 0
        for joint in range(each.njnt):
            name = each.joint(joint).name
            data.joint(name).qpos[0] = model.joint(name).qpos0[0]
        mujoco.mj_forward(each, data)
    capsule = mujoco.mjtGeom.mjGEOM_CAPSULE
    (ours,) = np.flatnonzero(model.geom_type == capsule)
    theirs = np.flatnonzero(again.geom_type == capsule)
    assert len(theirs) == 2
    for geom in theirs:
        assert two.geom_xpos[geom] == pytest.approx(one.geom_xpos[ours], abs=1e-7)
        assert two.geom_xmat[geom] == pytest.approx(one.geom_xmat[ours], abs=1e-7)


MESH = """
<mujoco>
  <asset><mesh name="part" file="part.obj" scale="1 2 3"/></asset>
  <worldbody><body name="b" pos="1 0 0">
    <geom type="mesh" mesh="part" pos="0.1 0.2 0.3" euler="10 20 30"/></body></worldbody>
</mujoco>
"""


def corners(model):
    """The corners of the only mesh in the world, in any order."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    points = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    return np.array(sorted(points.round(5).tolist()))


@pytest.mark.parametrize('how', ['file', 'element', 'uri', 'folder'])
def test_a_mesh_is_named_by_its_file_or_written_into_a_folder(tmp_path, how):
    (tmp_path / 'part.obj').write_bytes(OBJ)
    (tmp_path / 'robot.xml').write_text(MESH)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'robot.xml'))
    options = {}
    given = mjcf.from_path(tmp_path / 'robot.xml') if how == 'element' else model
    if how == 'uri':
        options['mesh_uri'] = lambda name, path: f'file://{tmp_path}/{name}.obj'
    if how == 'folder':
        options = {'mesh_uri': lambda name, path: None, 'mesh_folder': str(tmp_path)}
    if how == 'file':
        options['mesh_uri'] = lambda name, path: f'file://{tmp_path}/{Path(path).name}'
    text = to_urdf(given, **options)
    assert ('.stl' if how == 'folder' else 'part.obj') in text
    assert corners(compiled(read_urdf(text).model)) == pytest.approx(corners(model), abs=2e-5)


def test_a_mesh_of_a_resource_provider_keeps_its_uri():
    register_shipped()
    memory.put('robot/part.obj', OBJ)
    model = mjcf.from_xml_string(MESH.replace('part.obj', 'mem://robot/part.obj'))
    assert 'filename="mem://robot/part.obj"' in to_urdf(model)


REFERENCED = {
    'refpos': 'refpos="0.1 0.2 0.3"',
    'refquat': 'refquat="0.9 0.1 -0.3 0.2"',
    'both, scaled evenly': 'refpos="0.1 0 0.3" refquat="0.5 0.5 0.5 -0.5" scale="2 2 2"',
    'refpos, mirrored': 'refpos="0.1 0.2 0.3" scale="1 -2 3"',
    'turned, then stretched': 'refpos="0.1 0.2 0.3" refquat="0.9 0.1 -0.3 0.2" scale="1 2 3"',
}


@pytest.mark.parametrize('attributes', REFERENCED.values(), ids=REFERENCED)
@pytest.mark.parametrize('how', ['model', 'element'])
def test_a_mesh_with_a_reference_pose_is_where_the_model_has_it(tmp_path, attributes, how):
    (tmp_path / 'part.obj').write_bytes(OBJ)
    text = MESH.replace('scale="1 2 3"', attributes)
    (tmp_path / 'robot.xml').write_text(text)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / 'robot.xml'))
    given = mjcf.from_path(tmp_path / 'robot.xml') if how == 'element' else model
    uri = f'file://{tmp_path}/part.obj'
    written = to_urdf(given, mesh_uri=lambda name, path: uri, mesh_folder=str(tmp_path))
    assert ('part.obj' in written) == (attributes != REFERENCED['turned, then stretched'])
    assert corners(compiled(read_urdf(written).model)) == pytest.approx(corners(model), abs=2e-5)


def test_a_file_that_cannot_be_compared_counts_as_that_of_the_mesh(tmp_path):
    """A user can have a finer mesh for the URDF, or a file that only other programs can read."""
    (tmp_path / 'fine.obj').write_bytes(OBJ + b'\nv 5 5 5\nf 1 2 5\n')
    (tmp_path / 'odd.dae').write_text('<COLLADA/>')
    model = mujoco.MjModel.from_xml_string(MESH, {'part.obj': OBJ})
    for name in ('fine.obj', 'odd.dae', 'gone.obj'):
        uri = f'file://{tmp_path}/{name}'
        assert uri in to_urdf(model, mesh_uri=lambda name, path, uri=uri: uri)
    for uri in ('http://there/part.obj', 'package://no_such_package/part.obj'):
        assert uri in to_urdf(model, mesh_uri=lambda name, path, uri=uri: uri)


def test_a_written_mesh_has_a_name_by_its_content_and_is_written_once(tmp_path):
    def written(scale: str) -> str:
        text = MESH.replace('1 2 3', scale)
        model = mujoco.MjModel.from_xml_string(text, {'part.obj': OBJ})
        root = ElementTree.fromstring(to_urdf(model, mesh_folder=str(tmp_path)))
        return root.find('link/visual/geometry/mesh').get('filename')

    first = written('1 2 3')
    (file,) = tmp_path.iterdir()
    assert first == file.as_uri()
    changed = file.stat().st_mtime_ns
    assert written('1 2 3') == first
    assert file.stat().st_mtime_ns == changed
    assert written('1 2 4') != first
    assert len(list(tmp_path.iterdir())) == 2


def test_a_mesh_without_a_file_is_left_out():
    model = mujoco.MjModel.from_xml_string(MESH, {'part.obj': OBJ})
    assert '<mesh' not in to_urdf(model)


def test_names_are_written_as_xml_may_have_them():
    spec = mujoco.MjSpec()
    spec.modelname = 'a & "b"'
    body = spec.worldbody.add_body(name='<tool>\x01')
    body.add_geom(size=[0.1, 0, 0])
    root = ElementTree.fromstring(to_urdf(spec.compile()))
    assert root.get('name') == 'a & "b"'
    assert [link.get('name') for link in root.findall('link')] == ['world', '<tool>\\x01']


def test_a_part_of_a_model_has_its_root_and_its_prefixes():
    host = mjcf.RootElement(model='lab')
    for side in ('left', 'right'):
        arm = mjcf.RootElement(model=side)
        link = arm.worldbody.add('body', name='link')
        link.add('joint', name='turn')
        link.add('geom', size=[0.1])
        host.attach(arm)
    text = to_urdf(host, root='left/', frame_prefix='sim/', joint_prefix='left/')
    root = ElementTree.fromstring(text)
    assert [link.get('name') for link in root.findall('link')] == ['sim/left/', 'sim/left/link']
    assert [joint.get('name') for joint in root.findall('joint')] == ['turn']
    text = to_urdf(host, root='right/', body_prefix='right/')
    root = ElementTree.fromstring(text)
    assert [link.get('name') for link in root.findall('link')] == ['right', 'link']
    with pytest.raises(ValueError, match="unknown body 'none'; known: world, left/"):
        to_urdf(host, root='none')
