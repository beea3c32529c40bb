"""Textures that a model refers to are read while it is compiled, and never later."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.engine.resources import memory, register_shipped
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.processes import MIB, Limits
from mujoco_ros_py.simulation import ModelCompiler, ModelSource, compile_model

pytestmark = pytest.mark.skipif(
    not hasattr(mujoco, 'mj_embedAssets'), reason='this MuJoCo has all textures in its models'
)
LIMITS = Limits(memory=512 * MIB, time_s=60.0)
COLOUR = 200, 10, 20


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    return _write_picture(tmp_path / 'picture.png')


@pytest.fixture
def xml(picture: Path) -> str:
    return f"""
        <mujoco>
          <asset>
            <texture name="t" type="2d" file="{picture}" embed="false"/>
            <material name="m" texture="t"/>
          </asset>
          <worldbody><geom size="1" material="m"/></worldbody>
        </mujoco>
    """


@pytest.fixture
def binary(tmp_path: Path, xml: str) -> Path:
    model = mujoco.MjModel.from_xml_string(xml)
    assert list(model.tex_adr) == [-1]
    mujoco.mj_saveModel(model, str(tmp_path / 'model.mjb'), None)
    return tmp_path / 'model.mjb'


def _write_picture(path: Path, width: int = 4, height: int = 4) -> Path:
    rows = (b'\0' + bytes(COLOUR * width)) * height
    header = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    chunks = (b'IHDR', header), (b'IDAT', zlib.compress(rows)), (b'IEND', b'')
    packed = (
        struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
        for kind, body in chunks
    )
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + b''.join(packed))
    return path


def _assert_has_picture(model: mujoco.MjModel) -> None:
    assert list(model.tex_adr) == [0]
    assert np.array_equal(np.unique(model.tex_data.reshape(-1, 3), axis=0), [COLOUR])


def test_a_text_comes_with_the_pictures_that_it_names(tmp_path, xml, picture):
    (tmp_path / 'model.xml').write_text(xml)
    _assert_has_picture(compile_model(ModelSource(path=str(tmp_path / 'model.xml'))))
    _assert_has_picture(compile_model(ModelSource(xml=xml)))


def test_a_compiled_model_comes_with_the_pictures_that_it_names(binary):
    _assert_has_picture(compile_model(ModelSource(path=str(binary))))


@pytest.mark.slow
def test_the_pictures_are_read_by_the_process_that_compiles(binary):
    compiler = ModelCompiler(LIMITS)
    try:
        _assert_has_picture(compiler.compile(ModelSource(path=str(binary))))
    finally:
        compiler.close()


def test_a_picture_that_is_a_fifo_is_refused_before_anybody_waits_for_it(binary, picture):
    picture.unlink()
    os.mkfifo(picture)
    with pytest.raises(ModelError) as caught:
        compile_model(ModelSource(path=str(binary)))
    assert str(caught.value) == f"{binary}: '{picture}' is a FIFO, not a file"


def test_a_picture_that_is_missing_or_none_is_refused(binary, picture):
    picture.unlink()
    with pytest.raises(ModelError, match=f'model.mjb: texture 0: .*{picture.name}'):
        compile_model(ModelSource(path=str(binary)))
    picture.write_text('secret')
    with pytest.raises(ModelError, match=r'model\.mjb: texture 0') as caught:
        compile_model(ModelSource(path=str(binary)))
    assert 'secret' not in str(caught.value)


def test_a_compiled_model_from_outside_names_no_file_of_this_machine(binary, picture):
    register_shipped()
    uri = memory.put('model.mjb', binary.read_bytes())
    with pytest.raises(ModelError, match=f'names the texture file {picture}; .*mj_embedAssets'):
        compile_model(ModelSource(path=uri))
