# test_arm.py
import pytest

pytestmark = pytest.mark.mujoco(
    model='package://mujoco_ros_py/examples/arm.xml',
    plugins=[{'type': 'mujoco_ros_py/JointController'}],
)


def test_the_arm_holds_its_pose(server):
    server.reset(keyframe='home')
    state = server.step(2000)
    assert state.joint('joint2').position == pytest.approx(0.3, abs=0.01)


def test_it_comes_to_rest_after_a_push(server):
    server.set(qvel={'joint1': 0.5})
    server.wait_until(lambda state: abs(state.joint('joint1').velocity) < 0.01, timeout_s=3.0)


def test_a_run_is_repeated_from_a_saved_state(server):
    saved = server.save()
    first = server.step(500).site('flange').position
    server.restore(saved)
    assert (server.step(500).site('flange').position == first).all()
