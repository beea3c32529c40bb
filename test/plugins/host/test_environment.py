"""Resources that plugins share: the simulation and each other."""

from __future__ import annotations

import threading

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import PluginError, SimulationError
from mujoco_ros_py.plugins import Environment, MujocoPlugin
from mujoco_ros_py.plugins.host.loaded_plugins import LoadedPlugins
from mujoco_ros_py.simulation import Owner


@pytest.fixture
def loaded() -> LoadedPlugins:
    return LoadedPlugins()


@pytest.fixture
def environment(parts, loaded) -> Environment:
    return Environment(parts, loaded, Owner.of_no_plugin('a test'), 'one')


def named(name: str, environment: Environment) -> MujocoPlugin:
    plugin = MujocoPlugin({}, None, environment)
    plugin.name = name
    return plugin


def test_the_loaded_plugins_are_there_by_name_in_load_order(environment, loaded):
    plugins = [named(name, environment) for name in ('zeta', 'alpha', 'mid')]
    for plugin in plugins:
        loaded.by_name[plugin.name] = plugin
    assert list(environment.plugins) == ['zeta', 'alpha', 'mid']
    assert environment.plugin('alpha') is environment.plugins['alpha'] is plugins[1]
    del loaded.by_name['zeta']
    assert list(environment.plugins) == ['alpha', 'mid']


def test_nobody_can_change_who_is_there(environment):
    with pytest.raises(TypeError):
        environment.plugins['me'] = named('me', environment)


def test_who_keeps_the_plugins_sees_those_that_come_later(environment, loaded):
    plugins = environment.plugins
    loaded.by_name['late'] = named('late', environment)
    assert list(plugins) == ['late']


def test_a_plugin_that_is_not_there_is_an_error_that_names_those_that_are(environment, loaded):
    with pytest.raises(PluginError, match=r"no plugin 'arm' is loaded yet \(.*\); loaded: none"):
        environment.plugin('arm')
    for name in ('leg', 'head'):
        loaded.by_name[name] = named(name, environment)
    with pytest.raises(PluginError, match=r"no plugin 'arm' is loaded.*loaded: leg, head"):
        environment.plugin('arm')


def test_a_function_runs_on_the_physics_thread_with_model_and_data(environment, simulation):
    model = mujoco.MjModel.from_xml_string('<mujoco/>')
    simulation.load(model).result(DEADLINE_S)

    def look(model, data):
        return threading.current_thread().name, model, type(data)

    future = environment.submit(look)
    assert future.result(DEADLINE_S) == ('physics', model, mujoco.MjData)


def test_an_exception_of_a_function_comes_back_and_is_the_plugins_fault(parts, loaded, simulation):
    simulation.load(mujoco.MjModel.from_xml_string('<mujoco/>')).result(DEADLINE_S)
    faults = []
    owner = Owner("plugin 'arm'", lambda where, error: faults.append((where, error)))
    own = Environment(parts, loaded, owner, 'arm')

    def leave(model, data):
        raise SystemExit('gone')

    with pytest.raises(SystemExit):
        own.submit(leave).result(DEADLINE_S)
    ((where, error),) = faults
    assert where.endswith('leave, given to submit,')
    assert isinstance(error, SystemExit)
    assert own.submit(lambda model, data: data.time).result(DEADLINE_S) == 0


def test_what_a_plugin_submits_is_not_called_once_it_is_out(parts, loaded, simulation):
    simulation.load(mujoco.MjModel.from_xml_string('<mujoco/>')).result(DEADLINE_S)
    owner, called = Owner("plugin 'arm'", print), []
    owner.close()
    environment = Environment(parts, loaded, owner, 'arm')
    future = environment.submit(lambda model, data: called.append(1))
    with pytest.raises(PluginError, match="plugin 'arm' has failed or is unloaded"):
        future.result(DEADLINE_S)
    assert called == []


def test_without_a_model_a_function_is_refused(environment):
    with pytest.raises(SimulationError, match='no model is loaded'):
        environment.submit(lambda model, data: None).result(DEADLINE_S)
