"""A Python plugin in all situations in which MuJoCo calls plugins."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.engine_plugins import Attribute, register
from mujoco_ros_py.engine.engine_plugins.shipped.pid import Pid

from .models import WarmMotor, arm, assert_replays, run, warm_motor


@pytest.fixture(scope='module', autouse=True)
def registered():
    register(WarmMotor)


def test_one_instance_is_an_actuator_and_a_sensor_with_a_state():
    model = warm_motor(gain=2.0, ambient=30.0)
    data = mujoco.MjData(model)
    temperature, expected = 30.0, []
    for _ in range(100):
        data.ctrl[0] = 0.3
        mujoco.mj_step(model, data)
        expected.append(temperature)  # the sensor's value, from before the end of the step
        assert data.actuator_force[0] == 2.0 * 0.3
        assert data.sensordata[0] == pytest.approx(expected[-1], abs=1e-12)
        temperature += (5.0 * 0.6**2 - (temperature - 30.0)) * model.opt.timestep
        assert data.plugin_state[0] == pytest.approx(temperature, abs=1e-12)
    assert temperature > 30.1


def test_implicit_instances_have_a_state_each():
    model = arm(WarmMotor.name, joints=3)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0, 1, 2
    mujoco.mj_step(model, data, 10)
    assert model.nplugin == 3
    assert data.plugin_state[0] == 20.0
    assert data.plugin_state[0] < data.plugin_state[1] < data.plugin_state[2]


def test_a_reset_starts_the_state_anew():
    model = warm_motor(ambient=25.0)
    data = mujoco.MjData(model)
    first = run(model, data, 50)
    mujoco.mj_resetData(model, data)
    assert data.plugin_state.tolist() == [25.0]
    assert np.array_equal(run(model, data, 50), first)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    assert (data.qpos[0], data.plugin_state[0]) == (0.5, 25.0)


def test_a_copy_goes_on_as_the_original_does():
    model = warm_motor()
    data, copy = mujoco.MjData(model), mujoco.MjData(model)
    run(model, data, 50)
    mujoco.mj_copyData(copy, model, data)
    assert np.array_equal(run(model, copy, 50), run(model, data, 50))


def test_a_copy_has_the_parameters_and_goes_on_with_its_own():
    class Counting(WarmMotor):
        name = 'test.counting'

        @classmethod
        def parameters(cls, config, instance):
            return {**WarmMotor.parameters(config, instance), 'calls': 0}

        @staticmethod
        def compute_sensor(p, model, data):
            p.calls += 1
            data.sensordata[0] = p.calls

    register(Counting)
    model = warm_motor('test.counting')
    data, copy = mujoco.MjData(model), mujoco.MjData(model)
    for _ in range(5):
        mujoco.mj_forward(model, data)
    mujoco.mj_copyData(copy, model, data)
    mujoco.mj_forward(model, data)
    for _ in range(3):
        mujoco.mj_forward(model, copy)
    assert (data.sensordata[0], copy.sensordata[0]) == (6, 8)


def edit(numbers, compute_sensor):
    """Registers a new version of a plugin, with this array as its first parameter."""

    def parameters(cls, config, instance):
        return {'numbers': numbers, **WarmMotor.parameters(config, instance)}

    methods = {
        'name': 'test.edited',
        'parameters': classmethod(parameters),
        'compute_sensor': staticmethod(compute_sensor),
    }
    register(type('Edited', (WarmMotor,), methods))


@pytest.mark.slow
def test_a_copy_of_data_from_before_an_edit_is_as_large_as_those():
    def compute_sensor(p, model, data):
        data.sensordata[0] = p.numbers.sum()

    edit(np.arange(4), compute_sensor)
    model = warm_motor('test.edited')
    before = mujoco.MjData(model)
    edit(np.arange(200), compute_sensor)
    after = mujoco.MjData(model)
    for data, total in ((before, 6), (after, 19900)):
        mujoco.mj_forward(model, data)
        assert data.sensordata[0] == total
    mujoco.mj_copyData(after, model, before)
    mujoco.mj_forward(model, after)
    assert after.sensordata[0] == 6


@pytest.mark.slow
def test_the_first_parameter_is_aligned_for_vectors_also_in_copies():
    def compute_sensor(p, model, data):
        data.sensordata[0] = p.numbers.ctypes.data % 64

    edit(np.zeros(3), compute_sensor)
    model = warm_motor('test.edited')
    made = [mujoco.MjData(model) for _ in range(8)]
    edit(np.zeros(5), compute_sensor)
    copies = [mujoco.MjData(model) for _ in range(8)]
    for copy, data in zip(copies, made, strict=True):
        mujoco.mj_copyData(copy, model, data)
    for data in (*made, *copies):
        data.sensordata[0] = -1.0
        mujoco.mj_forward(model, data)
        assert data.sensordata[0] == 0.0


@pytest.mark.slow
def test_an_instance_of_many_actuators_is_computed_once_a_step():
    class Once(WarmMotor):
        name = 'test.once'

        @staticmethod
        def compute_actuator(p, model, data):
            data.plugin_state[p.state] += 1.0

        @staticmethod
        def advance(p, model, data):
            pass

    register(Once)
    motors = '<plugin joint="j" instance="all"/>' * 5
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension><plugin plugin="test.once"><instance name="all"/></plugin></extension>
          <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
          <actuator>{motors}</actuator>
        </mujoco>
    """)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 10)
    assert data.plugin_state[0] == 20.0 + 10


def test_different_plugins_live_in_one_model_and_instances_have_names_and_ids():
    class Cold(WarmMotor):
        name = 'test.cold'
        ambient = Attribute(-40.0)

    register(WarmMotor)
    register(Cold)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension>
            <plugin plugin="{WarmMotor.name}"><instance name="warm"/></plugin>
            <plugin plugin="test.cold"><instance name="cold"/></plugin>
          </extension>
          <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
          <actuator>
            <plugin joint="j" instance="cold"/><plugin joint="j" instance="warm"/>
          </actuator>
          <sensor><plugin instance="cold"/><plugin instance="warm"/></sensor>
        </mujoco>
    """)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.sensordata.tolist() == [-40.0, 20.0]
    kind = mujoco.mjtObj.mjOBJ_PLUGIN
    ids = {name: mujoco.mj_name2id(model, kind, name) for name in ('warm', 'cold')}
    assert {mujoco.mj_id2name(model, kind, ids[name]) for name in ids} == set(ids)
    starts = {name: data.plugin_state[model.plugin_stateadr[id_]] for name, id_ in ids.items()}
    assert starts == {'warm': 20.0, 'cold': -40.0}


def test_a_keyframe_has_the_activation_of_a_plugin():
    register(Pid)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <extension><plugin plugin="{Pid.name}"/></extension>
          <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
          <actuator>
            <plugin joint="j" plugin="{Pid.name}" actdim="1"><config key="ki" value="3"/></plugin>
          </actuator>
          <keyframe><key act="0.25"/></keyframe>
        </mujoco>
    """)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert data.act.tolist() == [0.25]
    assert data.actuator_force[0] == pytest.approx(3 * 0.25)


def test_a_state_saved_and_restored_replays_bitwise():
    model = warm_motor()
    data = mujoco.MjData(model)
    run(model, data, 500)
    assert_replays(model, data, 100)


def test_a_model_saved_and_loaded_has_its_configuration(tmp_path: Path):
    model = warm_motor(gain=3.0)
    mujoco.mj_saveModel(model, str(tmp_path / 'model.mjb'))
    loaded = mujoco.MjModel.from_binary_path(str(tmp_path / 'model.mjb'))
    assert np.array_equal(
        run(loaded, mujoco.MjData(loaded), 50), run(model, mujoco.MjData(model), 50)
    )


def test_threads_with_data_of_their_own_get_what_one_thread_gets():
    model = warm_motor()

    def steps(_: int) -> np.ndarray:
        return run(model, mujoco.MjData(model), 500)

    alone = steps(0)
    with ThreadPoolExecutor(2) as threads:
        for rows in threads.map(steps, range(4)):
            assert np.array_equal(rows, alone)


@pytest.mark.parametrize(
    ('config', 'message'),
    [
        ({'gain': -1}, "instance 'motor': gain must be a number at least 0, got '-1'"),
        ({'gain': 'strong'}, "instance 'motor': gain must be a number at least 0, got 'strong'"),
        ({'torque': 1}, 'unrecognized attribute'),
    ],
)
def test_a_wrong_configuration_is_an_error_of_the_compiler(config, message):
    with pytest.raises(ValueError, match=message):
        warm_motor(**config)


def test_registered_again_after_an_edit_the_new_code_runs():
    class Edited(WarmMotor):
        name = 'test.edited'
        offset = Attribute(0.0)

        @staticmethod
        def compute_actuator(p, model, data):
            data.actuator_force[0] = 7.0 + p.offset

    class Original(WarmMotor):
        name = 'test.edited'

    register(Original)
    register(Original)
    old = warm_motor('test.edited', gain=2.0)
    before = mujoco.MjData(old)
    register(Edited)
    new = warm_motor('test.edited', offset=1.0)
    after = mujoco.MjData(new)
    for model, data, force in ((old, before, 2.0), (new, after, 8.0)):
        data.ctrl[0] = 1.0
        mujoco.mj_step(model, data)
        assert data.actuator_force[0] == force


def test_what_a_plugin_draws_is_in_the_scene():
    class Drawn(WarmMotor):
        name = 'test.drawn'

        @staticmethod
        def visualize(p, model, data, option, scene):
            if option.geomgroup[0]:
                scene.geoms[scene.ngeom].category = 77
                scene.geoms[scene.ngeom].pos[2] = data.plugin_state[p.state]
                scene.ngeom += 1

    register(Drawn)
    model = warm_motor('test.drawn')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, maxgeom=50)
    option, everything = mujoco.MjvOption(), mujoco.mjtCatBit.mjCAT_ALL
    camera, perturb = mujoco.MjvCamera(), mujoco.MjvPerturb()
    for shown in (1, 0):
        option.geomgroup[0] = shown
        mujoco.mjv_updateScene(model, data, option, perturb, camera, everything, scene)
        drawn = [geom for geom in scene.geoms[: scene.ngeom] if geom.category == 77]
        assert [geom.pos[2] for geom in drawn] == [20.0] * shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ('count', 'most_kib'), [(200, 256), pytest.param(800, 512, marks=pytest.mark.nightly)]
)
def test_cycles_of_compiling_and_freeing_leave_the_memory_flat(count, most_kib):
    code = """
import mujoco, resource, sys
sys.path.insert(0, sys.argv[1])
from engine.engine_plugins.models import WarmMotor, warm_motor
from mujoco_ros_py.engine.engine_plugins import register
register(WarmMotor)
def cycles(count):
    for _ in range(count):
        model = warm_motor()
        mujoco.mj_step(model, mujoco.MjData(model))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = cycles(150)
print(cycles(int(sys.argv[2])) - before)
"""
    test = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, '-c', code, str(test), str(count)],
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == '', 'nothing is said when the interpreter ends'
    assert int(done.stdout) < most_kib
