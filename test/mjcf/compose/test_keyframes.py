"""Keys of attached models."""

from __future__ import annotations

import copy
import re

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError

ARM = """
<mujoco model="{}">
  <worldbody>
    <geom size="0.1"/>
    <body name="upper">
      <joint name="shoulder" type="ball"/><geom size="0.1"/>
      <body><joint name="elbow"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor name="lift" joint="elbow"/>
    <intvelocity name="turn" joint="elbow" actrange="-9 9"/>
  </actuator>
  <keyframe>
    <key name="home" time="3" qpos="0 1 0 0 0.5" qvel="1 2 3 4" ctrl="5 6" act="7"/>
    <key name="still" time="1"/>
  </keyframe>
</mujoco>
"""
CART = """
<mujoco model="cart">
  <worldbody>
    <body name="cart"><joint name="rail" type="slide" ref="0.25"/><geom size="0.1"/>
      <site name="left"/><site name="right"/>
    </body>
    <body name="door"><joint name="hinge" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rail"/></actuator>
  <keyframe><key name="start" qpos="1 2" ctrl="3"/></keyframe>
</mujoco>
"""


def arm(name: str = 'arm'):
    return mjcf.from_xml_string(ARM.format(name))


@pytest.fixture
def cart():
    """A model with a key, and with joints before and after the attachment sites."""
    return mjcf.from_xml_string(CART)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def state(model, key):
    """Returns the state of joints, actuators and mocap bodies after a reset to the key."""
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    joints = [model.joint(number).name for number in range(model.njnt)]
    found = {name: [*data.joint(name).qpos, *data.joint(name).qvel] for name in joints}
    for number in range(model.nactuator):
        actuator = model.actuator(number)
        activation = data.act[actuator.actadr[0]] if actuator.actadr[0] >= 0 else None
        found[actuator.name] = [data.ctrl[number], activation]
    for number in np.flatnonzero(model.body_mocapid >= 0):
        place = model.body_mocapid[number]
        found[model.body(number).name] = [*data.mocap_pos[place], *data.mocap_quat[place]]
    return found


def expect(model, key, prefix, own, own_key):
    """Checks that the key sets the attached model like its own key, and leaves other joints."""
    got, data = state(model, key), mujoco.MjData(model)
    names = [model.joint(number).name for number in range(model.njnt)]
    resting = {name: [*data.joint(name).qpos, *data.joint(name).qvel] for name in names}
    wanted = {f'{prefix}{name}': value for name, value in state(own, own_key).items()}
    assert {name: got[name] for name in wanted} == wanted
    others = {name: value for name, value in resting.items() if name not in wanted}
    assert others
    assert {name: got[name] for name in others} == others


def test_each_key_says_of_its_own_model_what_it_says_there_and_of_others_their_defaults(cart):
    left, right = arm('left'), arm('right')
    alone, own = compiled(left), compiled(cart)
    cart.find('site', 'right').attach(right)
    cart.find('site', 'left').attach(left)
    whole = compiled(cart)
    keys = [whole.key(number).name for number in range(whole.nkey)]
    assert keys == ['start', 'right/home', 'right/still', 'left/home', 'left/still']
    expect(whole, 'start', '', own, 'start')
    for side in ('left/', 'right/'):
        expect(whole, f'{side}home', side, alone, 'home')
    assert whole.key('left/home').time[0] == 3
    assert state(whole, 'left/still')['left/shoulder'][:4] == [1, 0, 0, 0]


def test_what_a_key_does_not_say_is_not_written(cart):
    cart.find('site', 'left').attach(arm())
    start, home, still = (key.attrib for key in cart.to_xml().findall('keyframe/key'))
    assert start.keys() == ['name', 'qpos', 'ctrl']
    assert home['time'] == '3'
    assert dict(still) == {'name': 'arm/still', 'time': '1'}


@pytest.mark.parametrize('count', [2, 9, 14])
def test_a_parents_key_may_be_as_before_or_count_joints_of_frames_or_be_for_all(cart, count):
    cart.attach(arm()).add('freejoint')
    qpos = [1, 2, 3, 4, 5, 0, 1, 0, 0, 0, 0, 1, 0, 6]
    resting = [0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    cart.find('key', 'start').qpos = qpos[:count]
    assert compiled(cart).key('start').qpos.tolist() == qpos[:count] + resting[count:]


def test_a_joint_of_a_frame_belongs_to_the_model_that_the_frame_is_in(cart):
    outer, inner = arm('outer'), arm('inner')
    alone = compiled(inner)
    outer.find('body', 'upper').add('site', name='s').attach(inner).add('joint', name='wrist')
    outer.find('key', 'home').qpos = [0, 1, 0, 0, 0.25, 0.5]
    own = compiled(outer)
    cart.attach(outer)
    whole = compiled(cart)
    assert state(own, 'home')['inner/wrist/'][0] == 0.5
    expect(whole, 'outer/home', 'outer/', own, 'home')
    expect(whole, 'outer/inner/home', 'outer/inner/', alone, 'home')


def test_a_key_of_another_length_is_refused_and_the_error_tells_which_there_are(cart):
    child = arm()
    cart.attach(child).add('freejoint')
    child.find('key', 'home').qvel = [1, 2, 3, 4, 5]
    rule = (
        "key 'home' of model 'arm': the length of qvel must be 4, the length in its model alone;"
        ' got 5'
    )
    with pytest.raises(ValueError, match=re.escape(rule)):
        cart.to_xml_string()
    child.keyframe.key.clear()
    cart.find('key', 'start').qpos = [1, 2, 3]
    rule = 'must be 2, the length in its model alone, or 9, the length with the joints of'
    with pytest.raises(ValueError, match=rule):
        cart.to_xml_string()


def test_a_key_is_mapped_when_a_copy_of_the_model_is_attached_too_or_it_is_detached_again(cart):
    child = arm()
    alone, before = compiled(child), child.to_xml_string()
    cart.find('site', 'left').attach(child)
    cart.attach(copy.deepcopy(child))
    again = copy.deepcopy(cart)
    assert again.to_xml_string() == cart.to_xml_string()
    for prefix in ('arm/', 'arm_1/'):
        expect(compiled(again), f'{prefix}home', prefix, alone, 'home')
    child.detach()
    assert child.to_xml_string() == before
    expect(compiled(cart), 'arm_1/home', 'arm_1/', alone, 'home')


def test_an_attached_model_alone_has_its_own_key(cart):
    child = arm()
    before = child.to_xml_string()
    cart.attach(child)
    assert child.to_xml_string() == before
    assert child.find('key', 'home').qpos.tolist() == [0, 1, 0, 0, 0.5]


def test_joints_of_frames_replicates_and_defaults_are_where_mujoco_puts_them(cart):
    child = mjcf.from_xml_string("""
        <mujoco model="c">
          <default><joint type="slide"/><default class="b"><joint type="ball"/></default></default>
          <worldbody>
            <body name="first"><joint name="a" class="b"/><geom size="1"/></body>
            <replicate count="2" offset="1 0 0">
              <body name="twin"><joint name="t"/><geom size="1"/></body>
            </replicate>
            <frame pos="1 0 0"><body name="framed"><joint name="f"/><geom size="1"/></body></frame>
            <body name="last"><joint name="l"/><geom size="1"/></body>
          </worldbody>
          <actuator><motor name="mt" joint="t"/><motor name="ml" joint="l"/></actuator>
          <keyframe><key name="k" qpos="0 0 1 0 11 12 13 14" ctrl="1 2 3"/></keyframe>
        </mujoco>
    """)
    alone = compiled(child)
    cart.find('site', 'left').attach(arm('arm'))
    cart.find('site', 'left').attach(child)
    expect(compiled(cart), 'c/k', 'c/', alone, 'k')
    assert state(alone, 'k')['t1'][0] == 12


def test_every_replica_of_an_attached_model_has_what_its_key_says(cart):
    row = cart.worldbody.insert('replicate', 0, count=2, offset=[1, 0, 0])
    child = arm()
    row.add('site', name='of_row').attach(child)
    child.find('body', 'upper').add('site', name='tip').attach(arm('second'))
    whole = state(compiled(cart), 'arm/home')
    for number in (0, 1):
        assert whole[f'arm/elbow{number}'] == [0.5, 4]
        assert [*whole[f'arm/lift{number}'], *whole[f'arm/turn{number}']] == [5, None, 6, 7]
    assert whole['rail'][0] == 0.25
    assert compiled(child).key('second/home').qpos.tolist() == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0.5]


def test_elements_without_names_are_told_apart_in_replicates(cart):
    row = cart.worldbody.add('replicate', count=2, offset=[1, 0, 0])
    for number in range(12):
        row.add('body', pos=[0, number, 0]).add('geom', size=[0.1])
    cart.attach(arm())
    assert state(compiled(cart), 'arm/home')['arm/elbow'] == [0.5, 4]


def test_mocap_bodies_keep_their_poses_and_others_have_that_of_their_body(cart):
    def mocap(name):
        return mjcf.from_xml_string(f"""
            <mujoco model="{name}">
              <worldbody><body name="hand" mocap="true" pos="1 2 3"><geom size="1"/></body>
              </worldbody>
              <keyframe><key name="k" mpos="4 5 6" mquat="0 1 0 0"/></keyframe>
            </mujoco>
        """)

    for name in ('a', 'b'):
        cart.attach(mocap(name), extra_body=False)
    got = state(compiled(cart), 'b/k')
    assert got['a/hand'] == [1, 2, 3, 1, 0, 0, 0]
    assert got['b/hand'] == [4, 5, 6, 0, 1, 0, 0]


@pytest.mark.skipif(not hasattr(mujoco.MjModel, 'nplastic'), reason='came with MuJoCo 4')
def test_what_has_yielded_keeps_how_far():
    def spring(name):
        return mjcf.from_xml_string(f"""
            <mujoco model="{name}">
              <worldbody>
                <body><geom size="1"/><joint name="j" stiffness="1" springyield="1"/></body>
              </worldbody>
              <keyframe><key name="k" plastic="0.5"/></keyframe>
            </mujoco>
        """)

    model = mjcf.RootElement(model='m')
    for name in ('a', 'b'):
        model.attach(spring(name))
    assert compiled(model).key_plastic.tolist() == [[0.5, 0], [0, 0.5]]


def test_files_that_a_model_needs_to_compile_are_found(cart):
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    box = ''.join(f'v {x} {y} {z}\n' for x, y, z in corners) + 'f 1 2 3\nf 6 7 8\nf 1 5 4\n'
    child = arm()
    child.asset.add('mesh', name='box', file=mjcf.Asset(box, '.obj'))
    child.find('body', 'upper').add('geom', type='mesh', mesh='box')
    alone = compiled(child)
    cart.attach(child)
    expect(compiled(cart), 'arm/home', 'arm/', alone, 'home')


def test_a_model_that_does_not_compile_is_told_as_that_with_the_names_that_it_has(cart):
    cart.attach(arm()).add('freejoint').parent.attachment.worldbody.geom.clear()
    with pytest.raises(
        MjcfError, match=r"model 'cart' has .* compilation failed: .*mass"
    ) as raised:
        cart.to_xml_string()
    assert "'arm/'" in str(raised.value)


def test_without_numbers_in_keys_nothing_is_compiled(cart):
    cart.keyframe.remove()
    cart.attach(arm()).add('freejoint').parent.attachment.worldbody.geom.clear()
    with pytest.raises(MjcfError):
        cart.to_xml_string()
    cart.find('key', 'arm/home').remove()
    assert 'name="arm/still"' in cart.to_xml_string()


def test_numbers_of_keys_are_written_in_the_digits_that_are_asked_for(cart):
    cart.attach(arm())
    cart.find('key', 'start').qpos = [1 / 3, 1e-9]
    key = cart.to_xml(precision=3, zero_threshold=1e-6).find('keyframe/key')
    assert key.get('qpos') == '0.333 0 1 0 0 0 0'


def test_what_attach_takes_from_other_files_belongs_to_the_model_that_does(cart):
    part = b"""
        <mujoco model="part">
          <worldbody><body><joint name="p"/><geom size="1"/></body></worldbody>
        </mujoco>
    """
    child = mjcf.from_xml_string(
        """
        <mujoco model="c">
          <asset><model file="part.xml"/></asset>
          <worldbody>
            <attach model="part" prefix="one_"/>
            <body name="own"><joint name="o"/><geom size="1"/></body>
          </worldbody>
          <keyframe><key name="k" qpos="1 2"/></keyframe>
        </mujoco>
        """,
        assets={'part.xml': part},
    )
    alone = compiled(child)
    for parent in (cart, copy.deepcopy(cart)):
        parent.attach(copy.deepcopy(child))
        parent.attach(copy.deepcopy(child))
        expect(compiled(parent), 'c_1/k', 'c_1/', alone, 'k')
    cart.attach(child, extra_body=False)
    with pytest.raises(MjcfError, match=r'must be named in the model that <attach> takes it from'):
        cart.to_xml_string()
