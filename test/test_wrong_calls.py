"""Errors for mistakes in calls of the public API name the given and the expected value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.engine import engine_plugins, resources
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin
from mujoco_ros_py.errors import (
    ConfigError,
    MjcfError,
    ModelError,
    PluginError,
    ResourceError,
    SimulationError,
)
from mujoco_ros_py.session import Session
from mujoco_ros_py.session.batch import Batch
from mujoco_ros_py.urdf import read_urdf, to_urdf

MODEL = """
<mujoco>
  <worldbody><body><joint name="hinge"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
FAILING = """
<mujoco>
  <extension>
    <plugin plugin="test.failing"><instance name="a"/><instance name="b"/></plugin>
  </extension>
  <worldbody>
    <body><plugin instance="a"/><joint/><geom size="0.1"/></body>
    <body pos="1 0 0"><plugin instance="b"/><joint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


class Failing(EnginePlugin):
    name = 'test.failing'
    capabilities = Capability.PASSIVE

    @classmethod
    def parameters(cls, config, instance):
        raise ValueError('it has no parameters')

    @staticmethod
    def compute_passive(p, model, data):
        pass


@pytest.fixture(scope='module')
def session() -> Iterator[Session]:
    with Session(mujoco_xml=MODEL) as session:
        yield session


@pytest.mark.parametrize(
    ('call', 'kind', 'message'),
    [
        (lambda: mjcf.from_file('a.xml'), TypeError, "must be an open file, got the path 'a.xml'"),
        (lambda: mjcf.from_file(None), TypeError, 'must be an open file, got NoneType'),
        (lambda: mjcf.from_xml_string(None), TypeError, 'a model must be text or bytes, got None'),
        (lambda: mjcf.from_xml_string(5), TypeError, 'a model must be text or bytes, got int'),
        (
            lambda: mjcf.from_xml_string(MODEL, assets=['a.stl']),
            TypeError, 'assets must map names to bytes, got list',
        ),
        (
            lambda: mjcf.Physics.from_mjcf_model(MODEL),
            TypeError, 'the model must be a RootElement, got str',
        ),
        (lambda: Session(mujoco_xml=MODEL, positions=[1]), ConfigError, 'must map joints to'),
        (lambda: Session(mujoco_xml=MODEL, plugins=5), ConfigError, 'must be a list of'),
        (lambda: Session(mujoco_xml=MODEL, speed=2), ConfigError, "unknown parameter 'speed'"),
        (
            lambda: Session('python://nowhere:make', model_modules=['nowhere']),
            ModelError, "No module named 'nowhere'",
        ),
        (lambda: Batch(mujoco_xml=MODEL, worlds='x'), ConfigError, "at least 1, got 'x'"),
        (lambda: Batch(mujoco_xml=MODEL, worlds=2, threads=0.5), ConfigError, 'at least 1, got 0'),
        (
            lambda: Batch(mujoco_xml=MODEL, worlds=2, model_values=[1]),
            ConfigError, r'model_values must have values by name, got \[1\]',
        ),
        (
            lambda: Batch(mujoco_xml=MODEL, worlds=2, plugin_values=5),
            ConfigError, 'plugin_values must have values by name, got 5',
        ),
        (lambda: resources.register(object), ResourceError, 'object must be derived from'),
        (lambda: resources.register(5), ResourceError, 'int must be derived from'),
        (lambda: resources.read(5), ResourceError, 'a URI must be a string, got int'),
        (lambda: engine_plugins.register(5), PluginError, '5 must be a class derived from'),
        (lambda: read_urdf(None), TypeError, 'a URDF must be text or bytes, got NoneType'),
        (lambda: to_urdf(5), TypeError, 'the model must be MjModel or RootElement, got int'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call_is_told(call: Callable[[], Any], kind: type, message: str):
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        (lambda session: session.step('x'), "a whole number of at least 1, got 'x'"),
        (lambda session: session.step(0.5), 'a whole number of at least 1, got 0.5'),
        (lambda session: session.restore(5), 'a saved state must come from save, got int'),
        (lambda session: session.restore(None), 'a saved state must come from save, got NoneType'),
    ],
)
def test_a_session_refuses_what_it_cannot_do_and_goes_on(session, call, message):
    with pytest.raises(SimulationError, match=message):
        call(session)
    session.step(2)


@pytest.mark.parametrize(
    ('compile_model', 'kind'),
    [
        (lambda: Session(mujoco_xml=FAILING), ModelError),
        (lambda: mjcf.Physics.from_mjcf_model(mjcf.from_xml_string(FAILING)), MjcfError),
        (lambda: mjcf.from_spec(mujoco.MjSpec.from_string(FAILING)), MjcfError),
    ],
)
def test_the_reason_of_an_engine_plugin_is_told_once(compile_model, kind):
    engine_plugins.register(Failing)
    with pytest.raises(kind) as raised:
        compile_model()
    assert str(raised.value).count('it has no parameters') == 1
