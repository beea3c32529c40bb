"""Models are compiled in a separate process: good models are transferred unchanged, and bad models
only raise errors, whatever they do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register
from mujoco_ros_py.engine.resources import (
    ResourceProvider,
    memory,
    register_shipped,
)
from mujoco_ros_py.engine.resources import register as register_provider
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.processes import MIB, Limits
from mujoco_ros_py.simulation import InitialState, ModelCompiler, ModelSource, compile_model

LIMITS = Limits(
    memory=512 * MIB, time_s=40.0, memory_name='model_memory_limit', time_name='model_time_limit'
)
SMALL = '<mujoco model="small"><worldbody><body name="b"/></worldbody></mujoco>'
HUMANOID = Path(__file__).parents[3] / 'benchmarks/humanoid.xml'
RICH = """
<mujoco model="rich">
  <asset>
    <texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="1 1 1"/>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="h"/>
    <body name="a" pos="0 0 1">
      <joint name="j"/><geom type="mesh" mesh="m" mass="1"/>
    </body>
    <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" mass="1"/>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <keyframe><key name="k" time="1"/></keyframe>
</mujoco>"""


@pytest.fixture(scope='module')
def compiler() -> Iterator[ModelCompiler]:
    made = ModelCompiler(LIMITS)
    yield made
    made.close()


def refusal(compiler: ModelCompiler, source: ModelSource | str) -> str:
    """The error; and a good model is compiled after it."""
    if isinstance(source, str):
        source = ModelSource(xml=source)
    with pytest.raises(ModelError) as caught:
        compiler.compile(source)
    assert compiler.compile(ModelSource(xml=SMALL)).nbody == 2
    return str(caught.value)


def world(content: str) -> str:
    return f'<mujoco><worldbody>{content}</worldbody></mujoco>'


def differing(one: mujoco.MjModel, other: mujoco.MjModel) -> list[str]:
    """Names of all that is not the same to the bit."""

    def bits(value: object) -> object:
        return value.tobytes() if isinstance(value, np.ndarray) else value

    names = [name for name in dir(one) if not name.startswith('_')]
    kinds = np.ndarray, int, float, bytes
    return [
        name
        for name in names
        if isinstance(getattr(one, name), kinds)
        and bits(getattr(one, name)) != bits(getattr(other, name))
    ]


@pytest.mark.parametrize(
    'source', [ModelSource(xml=RICH), ModelSource(path=str(HUMANOID)), ModelSource()]
)
def test_a_model_is_the_one_that_would_be_compiled_here_to_the_bit(compiler, source):
    made, expected = compiler.compile(source), compile_model(source)
    assert differing(made, expected) == []
    data, other = mujoco.MjData(made), mujoco.MjData(expected)
    for _ in range(50):
        mujoco.mj_step(made, data)
        mujoco.mj_step(expected, other)
    assert data.qpos.tobytes() == other.qpos.tobytes()


def test_an_error_of_the_compiler_is_as_it_is_without_the_other_process(compiler):
    source = ModelSource(xml='<mujoco>\n<worldboddy/>\n</mujoco>')
    with pytest.raises(ModelError) as expected:
        compile_model(source)
    assert refusal(compiler, source) == str(expected.value)


def attaching(name: str, file: str) -> str:
    return f"""
        <mujoco model="{name}">
          <asset><model name="other" file="{file}"/></asset>
          <worldbody>
            <body name="b"><frame><attach model="other" body="b" prefix="x"/></frame></body>
          </worldbody>
        </mujoco>"""


@pytest.mark.slow
def test_a_model_that_attaches_itself_is_an_error_that_says_so(compiler, tmp_path):
    (tmp_path / 'self.xml').write_text(attaching('self', 'self.xml'))
    told = refusal(compiler, ModelSource(path=str(tmp_path / 'self.xml')))
    assert 'SIGSEGV' in told
    path = tmp_path / 'self.xml'
    assert f'the model attaches itself, through {path}, {path}: its process died' in told


@pytest.mark.slow
def test_two_models_that_attach_each_other_are_an_error_that_says_so(compiler, tmp_path):
    (tmp_path / 'one.xml').write_text(attaching('one', 'parts/two.xml'))
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts/two.xml').write_text(attaching('two', '../one.xml'))
    told = refusal(compiler, ModelSource(path=str(tmp_path / 'one.xml')))
    one, two = tmp_path / 'one.xml', tmp_path / 'parts/two.xml'
    assert f'the model attaches itself, through {one}, {two}, {one}: ' in told


CUBE = '<flexcomp name="f" type="grid" count="900 900 900" spacing="1 1 1" dim="3"/>'


@pytest.mark.parametrize(
    'content',
    [
        '<mujoco><asset><hfield name="a" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>'
        '<worldbody><geom type="hfield" hfield="a"/></worldbody></mujoco>',
        *(
            pytest.param(content, marks=pytest.mark.slow)
            for content in (
                '<mujoco><size memory="100G"/></mujoco>',
                '<mujoco><sensor><user dim="2000000000"/></sensor></mujoco>',
                world(
                    '<flexcomp name="f" type="grid" count="900 900 900" spacing="1 1 1" dim="3"/>'
                ),
            )
        ),
    ],
    ids=['hfield', 'memory', 'sensor', 'flexcomp'],
)
def test_a_model_that_takes_too_much_memory_is_an_error_that_names_the_limit(compiler, content):
    assert 'model_memory_limit is 512 MiB' in refusal(compiler, content)


def test_a_model_that_takes_too_long_is_an_error_that_names_the_limit(tmp_path):
    os.mkfifo(tmp_path / 'pipe.xml')
    compiler = ModelCompiler(Limits(time_s=0.3, time_name='model_time_limit'))
    # behind an entity that only MuJoCo takes nobody looks for it beforehand
    text = f'<mujoco model="&none;"><include file="{tmp_path}/pipe.xml"/></mujoco>'
    with pytest.raises(ModelError, match=r'took longer than 0\.3 s \(model_time_limit\)'):
        compiler.compile(ModelSource(xml=text))
    compiler.close()


@pytest.mark.parametrize(
    ('element', 'ending'),
    [
        ('mesh', '.obj'),
        ('texture type="2d"', '.png'),
        ('hfield size="1 1 1 1"', '.png'),
        ('model', '.xml'),
    ],
)
def test_a_model_that_names_a_fifo_is_refused_before_anybody_waits_for_it(
    compiler, tmp_path, element, ending
):
    pipe = tmp_path / f'pipe{ending}'
    os.mkfifo(pipe)
    asset = f'<{element} name="a" file="{pipe.name}"/>'
    (tmp_path / 'model.xml').write_text(f'<mujoco><asset>{asset}</asset></mujoco>')
    told = refusal(compiler, ModelSource(path=str(tmp_path / 'model.xml')))
    assert told == f"{tmp_path}/model.xml: '{pipe}' is a FIFO, not a file"


def test_a_fifo_and_a_device_are_refused_in_a_text_too(compiler, tmp_path):
    os.mkfifo(tmp_path / 'pipe.xml')
    for path, kind in {tmp_path / 'pipe.xml': 'FIFO', '/dev/zero': 'device'}.items():
        told = refusal(compiler, f'<mujoco><include file="{path}"/><worldbody/></mujoco>')
        assert told == f"mujoco_xml: '{path}' is a {kind}, not a file"


def test_a_model_that_cannot_make_a_forward_pass_from_the_initial_state_is_an_error(compiler):
    source = ModelSource(xml=world('<body><joint name="j"/><geom size=".1"/></body>'))
    initial = InitialState(positions={'j': (0.5,)}, velocities={'none': (1.0,)})
    assert compiler.compile(source, initial).nq == 1


def test_files_that_come_with_the_text_go_over(compiler):
    xml = '<mujoco><include file="part.xml"/></mujoco>'
    part = b'<x><worldbody><body name="part"/></worldbody></x>'
    assert compiler.compile(ModelSource(xml=xml, assets={'part.xml': part})).body('part').id == 1


def test_relative_paths_start_where_this_process_is(compiler, tmp_path, monkeypatch):
    (tmp_path / 'here.xml').write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    assert compiler.compile(ModelSource(path='here.xml')).nbody == 2


def test_files_in_memory_are_read_as_they_are_now(compiler):
    register_shipped()
    uri = memory.put('guarded/main.xml', b'<mujoco><include file="part.xml"/></mujoco>')
    assert "there is no file 'guarded/part.xml'" in refusal(compiler, ModelSource(path=uri))
    for count in 1, 3:
        bodies = b'<body/>' * count
        memory.put('guarded/part.xml', b'<x><worldbody>' + bodies + b'</worldbody></x>')
        assert compiler.compile(ModelSource(path=uri)).nbody == 1 + count


class Counted(ResourceProvider):
    prefix = 'Counted'

    def __init__(self) -> None:
        self.told: list[str] = []

    def open(self, uri: str) -> str:
        self.told.append(f'open {uri}')
        if uri.endswith('gone.xml'):
            raise LookupError('it is gone')
        return uri

    def read(self, opened: str) -> bytes:
        self.told.append('read')
        return SMALL.encode()

    def close(self, opened: str) -> None:
        self.told.append('close')


def test_a_provider_that_only_this_process_has_is_asked_here(compiler):
    provider = Counted()
    register_provider(provider)
    assert compiler.compile(ModelSource(path='counted:main.xml')).nbody == 2
    assert 'open Counted:main.xml' in provider.told
    opened = sum(each.startswith('open') for each in provider.told)
    assert opened == provider.told.count('close') > 0
    told = refusal(compiler, '<mujoco><include file="counted:gone.xml"/></mujoco>')
    assert 'Counted:gone.xml: LookupError: it is gone' in told


PLUGIN = """
<mujoco>
  <extension><plugin plugin="{0}"><instance name="i"/></plugin></extension>
  <worldbody><body><joint/><geom size=".1"/><plugin instance="i"/></body></worldbody>
</mujoco>"""
CLASS = """
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin

class Pusher(EnginePlugin):
    name = 'test.guarded_pusher'
    capabilities = Capability.PASSIVE

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += 3.0
"""


class _Stranded(EnginePlugin):
    """A test is no module that another process can import."""

    name = 'test.stranded'
    capabilities = Capability.PASSIVE

    @staticmethod
    def compute_passive(p, model, data):
        data.qfrc_passive[0] += 4.0


def force(model: mujoco.MjModel) -> float:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return float(data.qfrc_passive[0])


def test_engine_plugins_of_modules_are_registered_there_too(
    compiler, tmp_path, monkeypatch, caplog
):
    (tmp_path / 'guarded_pusher.py').write_text(CLASS)
    monkeypatch.syspath_prepend(str(tmp_path))
    register(import_module('guarded_pusher').Pusher)
    xml = PLUGIN.format('test.guarded_pusher')
    assert force(compiler.compile(ModelSource(xml=xml))) == 3.0
    assert 'without the protection' not in caplog.text
    broken = xml.replace('<joint/>', '<joint type="none"/>')
    assert "invalid keyword: 'none'" in refusal(compiler, broken)


def test_a_class_that_no_other_process_can_import_works_without_protection(compiler, caplog):
    register(_Stranded)
    xml = PLUGIN.format('test.stranded')
    assert force(compiler.compile(ModelSource(xml=xml))) == 4.0
    assert 'is compiled without the protection of a separate process' in caplog.text


def test_a_model_with_engine_plugins_of_mujoco_is_compiled_too(compiler):
    xml = '<mujoco><extension><plugin plugin="mujoco.pid"/></extension></mujoco>'
    assert compiler.compile(ModelSource(xml=xml)).nbody == 1


def test_a_closed_compiler_refuses(tmp_path):
    compiler = ModelCompiler(LIMITS)
    compiler.close()
    with pytest.raises(ModelError, match='its process was ended'):
        compiler.compile(ModelSource(xml=SMALL))
