"""Robot descriptions over DDS: their text, their timing, and the frames of their links."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')
pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')

from builtin.descriptions.describing import (
    PLUGIN,
    TRANSFORMS,
    Descriptions,
    Frames,
    differences,
    links,
)
from builtin.sensors.sensing import Sensing
from deadline import DEADLINE_S
from ros.conftest import domain, new_keeper, serve
from system.harness import wait_until
from urdf.test_meshes import OBJ

from mujoco_ros_py.session import Spawn
from mujoco_ros_py.simulation import ModelSource

__all__ = ['domain', 'new_keeper', 'serve']
pytestmark = pytest.mark.slow

ARM = """
<body name="{0}base" pos="0 {1} 1" quat="1 0.2 0.3 0.4">
  <geom type="box" size=".1 .1 .1"/>
  <body name="{0}upper" pos="0 0 .5">
    <joint name="{0}turn" axis="1 2 3" pos=".1 0 .2" ref="0.3"/><geom size=".05"/>
    <body pos=".1 0 0">
      <geom size=".02"/>
      <body name="{0}wrist" pos="0 .2 0" quat="1 1 0 0">
        <joint name="{0}slide" type="slide" axis="0 1 1" ref="0.1"/>
        <joint name="{0}roll" axis="1 0 0" pos="0 .1 0"/>
        <joint axis="0 1 0"/>
        <joint name="{0}yaw"/>
        <geom size=".05"/>
      </body>
    </body>
  </body>
</body>
"""
ARMS = f"""
<mujoco model="arms">
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <worldbody><geom type="plane" size="1 1 1"/>
    {ARM.format('left/', 0)}{ARM.format('right/', 2)}</worldbody>
</mujoco>
"""
POSITIONS = {'turn': 0.7, 'slide': 0.2, 'roll': -0.4, 'yaw': 1.1}
URDF = """<?xml version="1.0"?>
<!-- as it came -->
<robot name="cart">
  <link name="base_link"/>
  <link name="wheel"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <joint name="axle" type="continuous">
    <parent link="base_link"/><child link="wheel"/><origin xyz="0 1 0"/><axis xyz="0 1 0"/>
  </joint>
</robot>
"""
MESH = """
<mujoco>
  <asset><mesh name="wedge" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
  <worldbody><body name="wedge"><geom type="mesh" mesh="wedge"/></body></worldbody>
</mujoco>
"""
CUBE = '<mujoco model="cube"><worldbody><body><geom size="1"/></body></worldbody></mujoco>'


@pytest.fixture
def sense(serve: Any, domain: int) -> Iterator[Callable[..., Sensing]]:
    with ExitStack() as stack:

        def begin(xml: str, *plugins: dict[str, Any], **parameters: Any) -> Sensing:
            made = Sensing(serve, domain, xml, plugins, parameters)
            stack.callback(made.close)
            return made

        yield begin


def group(namespace: str, *plugins: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {'namespace': namespace, 'plugins': plugins, **keys}


def spawn(sensing: Sensing, xml: str, name: str, **given: Any) -> None:
    made = Spawn(source=ModelSource(xml=xml), name=name, **given)
    sensing.server.assembly.spawn([made]).result(DEADLINE_S)
    assert sensing.refusals == []


def reload(sensing: Sensing, **parameters: Any) -> None:
    from rclpy.parameter import Parameter

    given = [Parameter(name, value=value) for name, value in parameters.items()]
    assert all(each.successful for each in sensing.server.node.set_parameters(given))
    sensing.server.assembly.reload().result(DEADLINE_S)
    assert sensing.refusals == []


def put(sensing: Sensing, prefix: str) -> None:
    def set_positions(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        for name, value in POSITIONS.items():
            data.joint(f'{prefix}{name}').qpos[0] = value
        mujoco.mj_forward(model, data)

    sensing.call(set_positions)
    sensing.step(30)


def test_a_late_subscriber_gets_the_urdf_as_it_came_by_the_type_of_robot_state_publisher(sense):
    sensing = sense(URDF, PLUGIN)
    (info,) = wait_until(
        lambda: sensing.client.node.get_publishers_info_by_topic('/robot_description'), 'a topic'
    )
    assert info.topic_type == 'std_msgs/msg/String'
    assert Descriptions(sensing).wait_for() == URDF
    assert Descriptions(sensing).wait_for() == URDF


def test_a_topic_and_a_body_may_be_chosen_and_the_model_be_asked(sense):
    sensing = sense(
        URDF,
        {**PLUGIN, 'name': 'same', 'body': 'base_link', 'topic': 'same'},
        {**PLUGIN, 'name': 'part', 'body': 'wheel', 'topic': 'part'},
        {**PLUGIN, 'name': 'anew', 'from_model': True, 'topic': 'anew'},
    )
    assert Descriptions(sensing, '/same').wait_for() == URDF
    assert links(Descriptions(sensing, '/part').wait_for()) == {'wheel'}
    assert links(Descriptions(sensing, '/anew').wait_for()) == {'world', 'base_link', 'wheel'}


def test_each_link_of_a_written_description_has_a_frame_where_the_joints_put_it(sense):
    sensing = sense(ARMS, PLUGIN, TRANSFORMS)
    frames, text = Frames(sensing), Descriptions(sensing).wait_for()
    assert {'world', 'left/wrist', 'unnamed_body_3'} < links(text)
    wait_until(lambda: frames.reach_the_world(links(text)), 'all frames')
    put(sensing, 'left/')
    told = {f'left/{name}': value for name, value in POSITIONS.items()}
    told |= {f'right/{name}': value for name, value in zero().items()}
    wait_until(lambda: not differences(text, frames, '', 'world', told), 'the moved arm')


def zero() -> dict[str, float]:
    return {'turn': 0.3, 'slide': 0.1, 'roll': 0.0, 'yaw': 0.0}


@pytest.mark.parametrize('frame_prefix', ['', 'sim/'])
def test_the_links_of_a_group_are_without_the_prefix_that_its_frames_have(sense, frame_prefix):
    sensing = sense(
        ARMS,
        group('left', PLUGIN, TRANSFORMS),
        group('far', PLUGIN, TRANSFORMS, prefix='right/'),
        frame_prefix=frame_prefix,
    )
    frames = Frames(sensing)
    frames.parents[f'{frame_prefix}world'] = 'world', np.zeros(3), np.array([1.0, 0, 0, 0])
    for topic, prefix in (('/left', 'left/'), ('/far', 'right/')):
        text = Descriptions(sensing, f'{topic}/robot_description').wait_for()
        assert {'base', 'upper', 'wrist'} < links(text)
        assert not any(name.startswith(('left', 'right', 'world')) for name in links(text))
        whole = f'{frame_prefix}{prefix}'
        wait_until(lambda w=whole, t=text: frames.reach_the_world({f'{w}{x}' for x in links(t)}),
                   'all frames')  # fmt: skip
        assert differences(text, frames, whole, 'base', zero()) == []
        names = {joint.get('name') for joint in ElementTree.fromstring(text).iterfind('joint')}
        assert POSITIONS.keys() <= names


def test_without_transforms_no_frames_are_published_as_another_node_has_them_all(sense):
    sensing = sense(ARMS, PLUGIN)
    Descriptions(sensing).wait_for()
    sensing.call(lambda model, data: None)
    assert [sensing.server.node.count_publishers(each) for each in ('/tf', '/tf_static')] == [0, 0]


def test_a_spawned_robot_is_described_in_its_namespace_and_the_world_is_not(sense):
    sensing = sense(ARMS, {**PLUGIN, 'body': 'left/base'})
    world = Descriptions(sensing)
    first = world.wait_for()
    spawn(sensing, URDF, 'cart', plugins=[PLUGIN, TRANSFORMS], position=(1, 2, 3))
    spawn(sensing, CUBE, 'cube', plugins=[PLUGIN], namespace='far/cube')
    frames = Frames(sensing)
    assert Descriptions(sensing, '/cart/robot_description').wait_for() == URDF
    wait_until(lambda: frames.reach_the_world({'cart/base_link', 'cart/wheel'}), 'frames')
    assert frames.pose('cart/wheel')[0] == pytest.approx([1, 3, 3])
    assert links(Descriptions(sensing, '/far/cube/robot_description').wait_for()) == {'base'}
    assert world.texts == [first]
    sensing.server.assembly.delete(['cart']).result(DEADLINE_S)
    node = sensing.client.node
    wait_until(lambda: not node.count_publishers('/cart/robot_description'), 'no topic')


def test_a_root_that_is_called_world_has_a_frame_in_a_group(sense):
    text = URDF.replace('base_link', 'world').replace('continuous', 'fixed')
    sensing = sense(ARMS)
    spawn(sensing, text, 'cart', plugins=[PLUGIN, TRANSFORMS], position=(1, 2, 3))
    frames = Frames(sensing)
    assert Descriptions(sensing, '/cart/robot_description').wait_for() == text
    wait_until(lambda: frames.reach_the_world({'cart/world', 'cart/wheel'}), 'the frames')
    assert frames.pose('cart/world')[0] == pytest.approx([1, 1, 3])


def test_the_description_comes_anew_only_where_it_has_changed(sense):
    sensing = sense(ARMS, PLUGIN, group('left', PLUGIN))
    world, left = Descriptions(sensing), Descriptions(sensing, '/left/robot_description')
    world.wait_for(), left.wait_for()
    spawn(sensing, CUBE, 'cube')
    assert 'cube/base' in links(world.wait_for(lambda text: 'cube/' in text))
    sensing.server.assembly.delete(['cube']).result(DEADLINE_S)
    world.wait_for(lambda text: 'cube/' not in text)
    sensing.server.simulation.edit(resize).result(DEADLINE_S)
    assert '"0.07"' in left.wait_for(lambda text: '"0.07"' in text)
    world.wait_for(lambda text: '"0.07"' in text)
    assert (len(world.texts), len(left.texts)) == (4, 2)


def resize(model: mujoco.MjModel, data: mujoco.MjData, edit: Any) -> None:
    from mujoco_ros_py.simulation import ModelChange

    geom = model.body('left/upper').geomadr[0]
    model.geom_size[geom, 0] = 0.07
    edit.changed(ModelChange(kind='geom', number=int(geom)))


def test_a_reload_with_another_model_publishes_the_new_one(sense):
    sensing = sense(URDF, PLUGIN)
    heard = Descriptions(sensing)
    assert heard.wait_for() == URDF
    reload(sensing, mujoco_xml=CUBE)
    assert 'name="cube"' in heard.wait_for(lambda text: text != URDF)
    changed = URDF.replace('<!-- as it came -->', '')
    reload(sensing, mujoco_xml=changed)
    assert heard.wait_for(lambda text: text == changed)
    reload(sensing, mujoco_xml=URDF)  # the same model
    assert heard.wait_for(lambda text: text == URDF)


def test_a_mesh_without_a_file_is_written_where_the_description_names_it(sense, tmp_path):
    folder = tmp_path / 'a b'
    sensing = sense(MESH, {**PLUGIN, 'mesh_folder': str(folder)})
    text = Descriptions(sensing).wait_for()
    (file,) = folder.iterdir()
    mesh = ElementTree.fromstring(text).find('link/visual/geometry/mesh')
    assert mesh.get('filename') == file.as_uri()
    assert file.stat().st_size == 84 + 50 * 4


def test_a_mesh_with_a_reference_position_is_where_the_model_has_it(sense, tmp_path):
    (tmp_path / 'part.obj').write_bytes(OBJ)
    mesh = f'<mesh name="part" file="{tmp_path}/part.obj" refpos="0.1 0.2 0.3"/>'
    xml = f"""
    <mujoco>
      <asset>{mesh}</asset>
      <worldbody><body name="b"><geom type="mesh" mesh="part"/></body></worldbody>
    </mujoco>"""
    text = Descriptions(sense(xml, PLUGIN)).wait_for()
    visual = ElementTree.fromstring(text).find('link/visual')
    assert visual.find('geometry/mesh').get('filename') == f'file://{tmp_path}/part.obj'
    place = [float(number) for number in visual.find('origin').get('xyz').split()]
    assert place == pytest.approx([-0.1, -0.2, -0.3], abs=1e-6)


def test_bodies_that_are_not_there_and_robots_in_pieces_are_refused(sense):
    plugins = [{**PLUGIN, 'body': 'none'}]
    sensing = sense(ARMS)
    reload(sensing, MujocoPlugins='')
    pieces = '<mujoco><worldbody><body name="p/a"/><body name="p/b"/></worldbody></mujoco>'
    for xml, listed, told in (
        (ARMS, plugins, "unknown body 'none'"),
        (ARMS, [group('none', *[PLUGIN])], 'no body has the prefix of the group'),
        (pieces, [group('p', PLUGIN)], '2 root bodies: a, b'),
        (MESH, [{**PLUGIN, 'mesh_folder': '/dev/null/meshes'}], 'Not a directory'),
    ):
        from rclpy.parameter import Parameter

        given = [Parameter('mujoco_xml', value=xml), Parameter('MujocoPlugins',
                 value=json.dumps(listed))]  # fmt: skip
        sensing.server.node.set_parameters(given)
        sensing.server.assembly.reload().result(DEADLINE_S)
        (reason,) = sensing.refusals
        assert told in reason


def test_a_ball_turns_the_link_at_its_centre_and_attached_robots_begin_below_their_frame(sense):
    ball = """
    <mujoco><option gravity="0 0 0"/><worldbody><body name="arm/" pos="0 0 1">
      <body name="arm/base"><geom size=".1"/>
        <body name="arm/hand" pos="0 0 .3">
          <joint name="arm/ball" type="ball" pos="0 .1 0"/><geom size=".1"/></body></body>
    </body></worldbody></mujoco>
    """
    sensing = sense(ball, group('arm', PLUGIN, TRANSFORMS))
    frames = Frames(sensing)
    text = Descriptions(sensing, '/arm/robot_description').wait_for()
    assert links(text) == {'base', 'hand', 'hand_ball'}
    turned = [0.5, 0.5, -0.5, 0.5]
    sensing.call(lambda model, data: data.qpos.put(range(4), turned))
    sensing.step(30)
    wait_until(lambda: frames.reach_the_world({'arm/base', 'arm/hand_ball'}), 'all frames')
    told = {'ball_rotation': turned}
    wait_until(lambda: not differences(text, frames, 'arm/', 'base', told), 'the turned hand')


def test_another_robot_whose_names_are_the_same_without_a_prefix_is_not_mixed_up(sense):
    other = ARMS.replace('right/', '')
    sensing = sense(other, group('left', PLUGIN, TRANSFORMS))
    frames = Frames(sensing)
    text = Descriptions(sensing, '/left/robot_description').wait_for()
    whole = {f'left/{link}' for link in links(text)}
    wait_until(lambda: frames.reach_the_world(whole), 'all frames')
    assert differences(text, frames, 'left/', 'base', zero()) == []
