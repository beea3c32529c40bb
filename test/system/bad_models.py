"""Models that cannot be used, each as a function that returns the server's parameters."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import mujoco
import numpy as np

from .harness import PENDULUM

Make = Callable[[Path], dict[str, Any]]
BAD: dict[str, Make] = {}
"""The functions by the fault of their model."""

_MIB = 2**20


def _bad(make: Make) -> Make:
    BAD[make.__name__.strip('_').replace('_', ' ')] = make
    return make


def _file(folder: Path, content: str | bytes, name: str = 'bad.xml') -> dict[str, Any]:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return {'modelfile': str(path)}


def _world(content: str) -> str:
    return f'<mujoco><worldbody>{content}</worldbody></mujoco>'


@_bad
def _no_such_file(folder: Path) -> dict[str, Any]:
    return {'modelfile': str(folder / 'nothing.xml')}


@_bad
def _directory(folder: Path) -> dict[str, Any]:
    return {'modelfile': str(folder)}


@_bad
def _dangling_link(folder: Path) -> dict[str, Any]:
    link = folder / 'dangling.xml'
    link.symlink_to(folder / 'nothing.xml')
    return {'modelfile': str(link)}


@_bad
def _link_to_itself(folder: Path) -> dict[str, Any]:
    link = folder / 'circle.xml'
    link.symlink_to(link)
    return {'modelfile': str(link)}


@_bad
def _model_that_attaches_itself(folder: Path) -> dict[str, Any]:
    asset = '<asset><model name="bad" file="bad.xml"/></asset>'
    attached = '<body name="b"><frame><attach model="bad" body="b" prefix="x"/></frame></body>'
    return _file(folder, f'<mujoco>{asset}<worldbody>{attached}</worldbody></mujoco>')


@_bad
def _model_that_takes_all_memory(folder: Path) -> dict[str, Any]:
    size = '<size nuser_body="1000000000"/>'
    return _file(folder, f'<mujoco>{size}<worldbody><body/></worldbody></mujoco>')


@_bad
def _pipe(folder: Path) -> dict[str, Any]:
    os.mkfifo(folder / 'pipe.xml')
    return {'modelfile': str(folder / 'pipe.xml')}


@_bad
def _endless_device(folder: Path) -> dict[str, Any]:
    return {'modelfile': '/dev/zero'}


@_bad
def _unknown_package(folder: Path) -> dict[str, Any]:
    return {'modelfile': 'package://no_such_package/model.xml'}


@_bad
def _uri_that_leads_out_of_its_package(folder: Path) -> dict[str, Any]:
    return {'modelfile': 'package://mujoco_ros_py/../model.xml'}


@_bad
def _no_such_archive(folder: Path) -> dict[str, Any]:
    return {'modelfile': f'zip:{folder}/nothing.zip!/model.xml'}


@_bad
def _garbage_in_a_zip(folder: Path) -> dict[str, Any]:
    return _file(folder, b'PK' + random.Random(9).randbytes(100_000), 'bad.zip')


@_bad
def _zip_without_a_model(folder: Path) -> dict[str, Any]:
    with ZipFile(folder / 'bad.zip', 'w') as archive:
        archive.writestr('readme.txt', 'nothing')
    return {'modelfile': str(folder / 'bad.zip')}


@_bad
def _zip_bomb(folder: Path) -> dict[str, Any]:
    with ZipFile(folder / 'bad.zip', 'w', ZIP_DEFLATED) as archive:
        archive.writestr('model.xml', b' ' * 50 * _MIB)
    return {'modelfile': str(folder / 'bad.zip')}


@_bad
def _function_of_a_module_that_is_not_listed(folder: Path) -> dict[str, Any]:
    return {'modelfile': 'python://os:system?command=exit'}


@_bad
def _host_that_is_not_allowed(folder: Path) -> dict[str, Any]:
    return {'modelfile': 'https://example.org/model.xml'}


@_bad
def _nothing_in_memory(folder: Path) -> dict[str, Any]:
    return {'modelfile': 'mem://model.mjb'}


@_bad
def _garbage_in_base64(folder: Path) -> dict[str, Any]:
    return {'modelfile': f'data:;base64,{"garbage" * 10_000}'}


@_bad
def _name_too_long(folder: Path) -> dict[str, Any]:
    return {'modelfile': str(folder / ('x' * 300))}


@_bad
def _empty(folder: Path) -> dict[str, Any]:
    return _file(folder, '')


@_bad
def _blank(folder: Path) -> dict[str, Any]:
    return _file(folder, ' \n\t\n')


@_bad
def _binary(folder: Path) -> dict[str, Any]:
    return _file(folder, random.Random(1).randbytes(100_000))


@_bad
def _binary_without_zeros(folder: Path) -> dict[str, Any]:
    return _file(folder, random.Random(2).randbytes(100_000).replace(b'\0', b'\xff'))


@_bad
def _binary_in_the_middle(folder: Path) -> dict[str, Any]:
    padding = b' ' * 5000
    return _file(folder, b'<mujoco>' + padding + random.Random(3).randbytes(5000) + b'</mujoco>')


@_bad
def _no_compiled_model(folder: Path) -> dict[str, Any]:
    return _file(folder, random.Random(4).randbytes(100_000), 'bad.mjb')


@_bad
def _compiled_model_cut_off(folder: Path) -> dict[str, Any]:
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    content = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return _file(folder, content.tobytes()[: len(content) // 2], 'bad.mjb')


@_bad
def _garbage_of_50_mb(folder: Path) -> dict[str, Any]:
    return _file(folder, random.Random(5).randbytes(_MIB) * 50)


@_bad
def _mjcf_of_50_mb(folder: Path) -> dict[str, Any]:
    geom = '<geom type="box" size="1 1 1"/>\n'
    return _file(folder, _world(geom * (50 * _MIB // len(geom))))


@_bad
def _compiled_garbage_of_50_mb(folder: Path) -> dict[str, Any]:
    return _file(folder, random.Random(6).randbytes(_MIB) * 50, 'bad.mjb')


@_bad
def _text(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': 'this is no model'}


@_bad
def _cut_off(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': '<mujoco><worldbody><body>'}


@_bad
def _html(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': '<!DOCTYPE html><html><body>404</body></html>'}


@_bad
def _unknown_element(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': _world('<bodi/>')}


@_bad
def _impossible_body(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': _world('<body><freejoint/></body>')}


@_bad
def _number_too_large(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': _world('<geom size="1e999"/>')}


@_bad
def _more_memory_than_there_is(folder: Path) -> dict[str, Any]:
    return {'mujoco_xml': '<mujoco><size memory="1000T"/></mujoco>'}


@_bad
def _nested_too_deep(folder: Path) -> dict[str, Any]:
    return _file(folder, _world('<body>' * 100_000 + '</body>' * 100_000))


@_bad
def _include_of_nothing(folder: Path) -> dict[str, Any]:
    return _file(folder, '<mujoco><include file="nothing.xml"/></mujoco>')


@_bad
def _include_of_itself(folder: Path) -> dict[str, Any]:
    return _file(folder, '<mujoco><include file="bad.xml"/></mujoco>')


@_bad
def _includes_in_a_circle(folder: Path) -> dict[str, Any]:
    _file(folder, '<mujoco><include file="bad.xml"/></mujoco>', 'other.xml')
    return _file(folder, '<mujoco><include file="other.xml"/></mujoco>')


@_bad
def _include_of_a_directory(folder: Path) -> dict[str, Any]:
    return _file(folder, f'<mujoco><include file="{folder}"/></mujoco>')


@_bad
def _include_of_garbage(folder: Path) -> dict[str, Any]:
    _file(folder, random.Random(7).randbytes(100_000), 'garbage.xml')
    return _file(folder, '<mujoco><include file="garbage.xml"/></mujoco>')


@_bad
def _mesh_of_garbage(folder: Path) -> dict[str, Any]:
    _file(folder, random.Random(8).randbytes(100_000), 'garbage.stl')
    return _file(folder, '<mujoco><asset><mesh file="garbage.stl"/></asset></mujoco>')


def entity_bomb() -> str:
    """Returns a model whose name has a thousand billion letters if its entities are expanded."""
    lines = ['<!ENTITY e0 "x">']
    lines += [f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12)]
    doctype = f'<?xml version="1.0"?><!DOCTYPE mujoco [{"".join(lines)}]>'
    return doctype + PENDULUM.replace('"hinge"', '"&e12;"')


def external_entity(file: Path) -> str:
    """Returns a model with a joint whose name is the content of a file."""
    doctype = f'<!DOCTYPE mujoco [<!ENTITY secret SYSTEM "file://{file}">]>'
    model = PENDULUM.replace('"hinge"', '"&secret;"')
    return f'<?xml version="1.0"?>{doctype}{model}'


def external_document_type(file: Path) -> str:
    return f'<?xml version="1.0"?><!DOCTYPE mujoco SYSTEM "{file}">{PENDULUM}'
