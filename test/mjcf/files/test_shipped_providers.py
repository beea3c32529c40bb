"""Files in packages and archives also work in programs that use only mjcf."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import pytest
from deadline import DEADLINE_S

PACKAGE = 'package://mujoco_ros_py/examples/arm.xml'
TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
MODEL = """
<mujoco model="rock">
  <asset><mesh name="rock" file="FILE"/></asset>
  <worldbody><body name="rock"><geom type="mesh" mesh="rock"/></body></worldbody>
</mujoco>
"""
INCLUDING = '<mujoco><include file="PACKAGE"/></mujoco>'
PROGRAMS = {
    'a path': "assert mjcf.from_path('PACKAGE').model == 'arm'",
    'an include': "assert mjcf.from_xml_string(INCLUDING).find('body', 'base')",
    'the physics of a path': "assert mjcf.Physics.from_xml_path('PACKAGE').model.nq == 7",
    'the physics of a file': "assert mjcf.Physics.from_xml_path('rock.xml').model.nmesh == 1",
    'the physics of a text': 'assert mjcf.Physics.from_xml_string(MODEL).model.nmesh == 1',
    'what is attached': """
world = mjcf.RootElement(model='world')
world.attach(mjcf.from_xml_string(MODEL))
assert mjcf.Physics.from_mjcf_model(world).model.nmesh == 1
""",
}


@pytest.fixture
def model(tmp_path) -> str:
    archive = tmp_path / 'rock.zip'
    with zipfile.ZipFile(archive, 'w') as file:
        file.writestr('rock.obj', TETRAHEDRON)
    text = MODEL.replace('FILE', f'zip:{archive}!/rock.obj')
    (tmp_path / 'rock.xml').write_text(text)
    return text


@pytest.mark.parametrize(
    'what',
    [
        what if 'attached' in what else pytest.param(what, marks=pytest.mark.slow)
        for what in PROGRAMS
    ],
)
def test_a_program_names_what_the_shipped_providers_serve(what, model, tmp_path):
    names = f'MODEL, INCLUDING = {model!r}, {INCLUDING!r}'
    code = f'from mujoco_ros_py import mjcf\n{names}\n{PROGRAMS[what]}'.replace('PACKAGE', PACKAGE)
    done = run('-c', code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_command_line_takes_and_compiles_them_and_says_which_package_is_unknown(
    model, tmp_path
):
    command = '-m', 'mujoco_ros_py', 'mjcf', 'validate', '--verbose'
    done = run(*command, PACKAGE, 'rock.xml', cwd=tmp_path)
    first, second = done.stdout.splitlines()
    assert first.endswith('/examples/arm.xml: fine')
    assert second == 'rock.xml: fine'
    done = run(*command, 'package://no_such_package/arm.xml', cwd=tmp_path)
    assert done.returncode == 2
    assert "package://no_such_package/arm.xml: no package 'no_such_package' in" in done.stderr


def run(*words: str, cwd: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=DEADLINE_S)
