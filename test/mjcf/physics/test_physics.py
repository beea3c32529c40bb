"""Simulation of a model: creation, state and errors."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError, PhysicsError

MODEL = """
<mujoco model="pendulum">
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="bob" size="0.1" pos="1 0 0"/>
    </body>
  </worldbody>
  <actuator><general name="motor" joint="hinge" dyntype="filter" dynprm="1"/></actuator>
  <keyframe><key name="up" qpos="1.5"/><key name="down" qpos="-1.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def root():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def physics(root):
    return mjcf.Physics.from_mjcf_model(root)


def test_a_physics_is_made_of_what_mujoco_is_made_of(physics, tmp_path):
    (tmp_path / 'model.xml').write_text(MODEL)
    mujoco.mj_saveModel(physics.model, str(tmp_path / 'model.mjb'))
    for made in (
        mjcf.Physics.from_model(physics.model),
        mjcf.Physics.from_xml_string(MODEL),
        mjcf.Physics.from_xml_path(tmp_path / 'model.xml'),
        mjcf.Physics.from_binary_path(tmp_path / 'model.mjb'),
        mjcf.Physics(physics.model, mujoco.MjData(physics.model)),
    ):
        assert made.named.data.geom_xpos['bob'].tolist() == [1, 0, 1]


def test_data_that_is_given_keeps_its_state_and_is_computed(physics):
    model, data = physics.model, mujoco.MjData(physics.model)
    data.act[:] = 9
    data.qpos[:] = 1
    made = mjcf.Physics(model, data)
    assert (data.act[0], data.qpos[0]) == (9, 1)
    assert made.data is data
    assert data.actuator_force[0] == 9
    assert made.named.data.geom_xpos['bob', 'x'] == pytest.approx(np.cos(1))
    with pytest.raises(ValueError, match='data must belong to the model'):
        mjcf.Physics(model, mujoco.MjData(mujoco.MjModel.from_xml_string('<mujoco/>')))


def test_files_of_the_model_are_compiled():
    root = mjcf.RootElement(assets={'tetra.obj': b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
                                    b'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'})  # fmt: skip
    mesh = root.asset.add('mesh', file='tetra.obj')
    physics = mjcf.Physics.from_mjcf_model(root)
    assert physics.bind(mesh).vertnum == 4


def test_a_model_that_does_not_compile_is_told_with_its_element(root):
    root.find('body', 'rod').add('geom', name='point', size=[0, 0, 0])
    with pytest.raises(MjcfError, match=r'size 0 must be positive.*\n.*\n<geom name="point"'):
        mjcf.Physics.from_mjcf_model(root)
    with pytest.raises(ValueError, match='size 0 must be positive'):
        mjcf.Physics.from_mjcf_model(root)


def test_a_reload_is_a_new_beginning(root, physics):
    held = physics.bind(root.find('joint', 'hinge'))
    held.qpos = 2
    root.find('body', 'rod').insert('joint', 0, name='slide', type='slide')
    root.find('joint', 'hinge').name = 'elbow'
    physics.reload_from_mjcf_model(root)
    assert held.qpos.tolist() == [0]
    held.qpos = 3
    assert physics.data.qpos.tolist() == [0, 3]
    assert physics.bind(root.find('joint', 'slide')).element_id == 0
    assert held is physics.bind(root.find('joint', 'elbow'))


def test_a_binding_of_what_a_reload_left_out_tells_so_until_it_is_back(root, physics):
    other = mjcf.from_xml_string(MODEL)
    held = physics.bind(root.find('joint', 'hinge'))
    physics.reload_from_mjcf_model(other)
    with pytest.raises(ValueError, match='did not exist when the physics was compiled'):
        physics.bind(root.find('joint', 'hinge'))
    with pytest.raises(ValueError, match='did not exist when the physics was compiled'):
        held.qpos = 1
    physics.reload_from_mjcf_model(root)
    held.qpos = 1
    assert physics.data.qpos.tolist() == [1]


def test_what_was_bound_of_an_old_model_goes_with_a_reload(root, physics):
    gone = weakref.ref(physics.bind(root.find('joint', 'hinge')))
    physics.bind(root.find('joint', 'hinge')).qpos += 1
    gc.disable()
    try:
        physics.reload_from_mjcf_model(mjcf.from_xml_string(MODEL))
        assert gone() is None
    finally:
        gc.enable()


def test_a_reload_of_a_broken_model_keeps_the_old_one_running(root, physics):
    held = physics.bind(root.find('joint', 'hinge'))
    held.qpos = 0.5
    model, data = physics.model, physics.data
    root.find('geom', 'bob').size[0] = -1
    with pytest.raises(MjcfError, match='<geom name="bob"'):
        physics.reload_from_mjcf_model(root)
    assert physics.model is model
    assert physics.data is data
    physics.step()
    assert held.qpos[0] != 0.5
    assert physics.named.data.qpos['hinge'] == held.qpos


def test_a_reload_from_text_and_file(physics, tmp_path):
    physics.reload_from_xml_string(MODEL.replace('hinge', 'knee'))
    assert physics.named.data.qpos['knee'].tolist() == [0]
    (tmp_path / 'model.xml').write_text(MODEL)
    physics.reload_from_xml_path(tmp_path / 'model.xml')
    assert physics.named.data.qpos['hinge'].tolist() == [0]


@pytest.mark.parametrize('integrator', ['Euler', 'RK4', 'implicit', 'implicitfast'])
@pytest.mark.parametrize('nstep', [1, 2, 5])
def test_steps_are_those_of_mujoco(root, integrator, nstep):
    root.option.integrator = integrator
    physics = mjcf.Physics.from_mjcf_model(root)
    model, data = physics.model, mujoco.MjData(physics.model)
    physics.set_control([2])
    data.ctrl[:] = 2
    for _ in range(10):
        physics.step(nstep)
        mujoco.mj_step(model, data, nstep)
    assert physics.data.qpos.tolist() == data.qpos.tolist()
    assert physics.time() == data.time == pytest.approx(10 * nstep * physics.timestep())
    mujoco.mj_forward(model, data)
    assert physics.data.xpos.tolist() == data.xpos.tolist()


def test_no_steps_are_refused(physics):
    with pytest.raises(ValueError, match='nstep must be at least 1, got 0'):
        physics.step(0)


def test_a_state_that_diverges_is_an_error(root, physics, tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes MUJOCO_LOG.TXT here
    joint = physics.bind(root.find('joint', 'hinge'))
    for _ in range(2):  # the error repeats
        joint.qvel = np.inf
        with pytest.raises(PhysicsError, match='MuJoCo warns of mjWARN_BADQVEL'):
            physics.step()
    with physics.suppress_physics_errors():
        for _ in range(2):
            joint.qvel = np.inf
            physics.step()
            assert caplog.records.pop().message.endswith('mjWARN_BADQVEL')
    joint.qvel = np.inf
    with pytest.raises(RuntimeError, match='mjWARN_BADQVEL'):
        physics.step()
    physics.reset()
    physics.step(10)
    logged = {record.name for record in caplog.records}
    assert logged <= {'mujoco_ros_py.mujoco_log'}  # MuJoCo's own warnings


def test_a_reset_is_the_initial_state_or_that_of_a_keyframe(physics):
    physics.bind([])
    physics.data.qpos[:] = 3
    physics.reset()
    assert physics.position().tolist() == [0]
    assert not physics.is_dirty
    physics.reset(1)
    assert physics.position().tolist() == [-1.5]
    physics.reset('up')
    assert physics.named.data.geom_xpos['bob', 'x'] == pytest.approx(np.cos(1.5))
    with pytest.raises(ValueError, match=r'keyframe_id must be in 0\.\.1, got 2'):
        physics.reset(2)
    with pytest.raises(ValueError, match="unknown keyframe 'left'; known: up, down"):
        physics.reset('left')
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        physics.reset(1.0)
    with pytest.raises(ValueError, match=r'the model has no keyframes\), got 0'):
        mjcf.Physics.from_xml_string('<mujoco/>').reset(0)


@pytest.mark.parametrize('time', [0.0, 7.3])
def test_sensors_with_intervals_begin_anew_at_a_keyframe_with_a_time(time):
    text = MODEL.replace('<keyframe>', f'<keyframe><key name="late" time="{time}"/>')
    sensor = '<sensor><jointpos joint="hinge" interval="0.1 0" nsample="3"/></sensor></mujoco>'
    physics = mjcf.Physics.from_xml_string(text.replace('</mujoco>', sensor))
    physics.step(200)
    physics.reset('late')
    values = []
    for _ in range(200):
        physics.step()
        values.append(physics.data.sensordata[0])
    assert np.count_nonzero(np.diff(values)) == pytest.approx(4, abs=1)  # changes within 0.4 s


def test_what_is_set_in_a_reset_is_computed_at_its_end(root, physics):
    physics.step(3)
    with physics.reset_context() as inside:
        assert inside is physics
        assert physics.time() == 0
        physics.data.qpos[:] = 1
    assert physics.data.geom_xpos[0, 0] == pytest.approx(np.cos(1))
    assert not physics.is_dirty


def test_controls_are_off_in_the_forces_after_a_reset(physics):
    physics.data.act[:] = 9
    physics.after_reset()
    assert physics.data.actuator_force[0] == 0
    physics.forward()
    assert physics.data.actuator_force[0] == 9


def test_a_state_comes_back(physics):
    physics.set_control([1])
    physics.step(5)
    state, everything = physics.state(), mujoco.mjtState.mjSTATE_INTEGRATION
    whole = physics.get_state(everything)
    expected = [physics.position(), physics.velocity(), physics.activation()]
    assert state.tolist() == np.concatenate(expected).tolist()
    physics.reset()
    physics.set_state(state)
    assert physics.is_dirty
    assert physics.get_state().tolist() == state.tolist()
    assert physics.time() == 0
    physics.set_state(whole, everything)
    assert physics.time() > 0
    assert physics.control().tolist() == [1]
    with pytest.raises(ValueError, match=r'state must have shape \(3,\), got \(2,\)'):
        physics.set_state(state[:2])


def test_what_is_asked_for_is_a_copy(physics):
    for get in (physics.position, physics.velocity, physics.control, physics.activation):
        get()[:] = 5
        assert get().tolist() == [0]


def duplicate(physics):
    return pickle.loads(pickle.dumps(physics))


@pytest.mark.parametrize('make', [mjcf.Physics.copy, copy.copy, copy.deepcopy, duplicate])
def test_a_copy_goes_on_by_itself(root, physics, make):
    hinge, bob = root.find('joint', 'hinge'), root.find('geom', 'bob')
    physics.bind(hinge).qpos = 0.5
    made = make(physics)
    assert made.bind(hinge).qpos == 0.5
    assert made.bind(bob).xpos[0] == pytest.approx(np.cos(0.5))
    made.bind(hinge).qpos = 1
    assert physics.data.qpos.tolist() == [0.5]
    made.bind(bob).rgba = 1
    shared = make is copy.copy
    assert (made.model is physics.model) == shared
    assert (physics.bind(bob).rgba[0] == 1) == shared
    assert made.model is made.data.model or not shared


def test_a_subclass_stays_one():
    class Pendulum(mjcf.Physics):
        def angle(self):
            return self.named.data.qpos['hinge'][0]

    physics = Pendulum.from_mjcf_model(mjcf.from_xml_string(MODEL))
    assert physics.copy().angle() == 0
    assert type(Pendulum.from_xml_string(MODEL)) is Pendulum
