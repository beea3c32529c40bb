"""What a release has: the sdist, the wheel that is built from it, and their page on PyPI."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

NAME = 'mujoco_ros_py'
SHARED = 'config', 'examples', 'interfaces', 'launch'


@pytest.fixture(scope='module')
def files(source) -> set[str]:
    """The files of the checkout, before anything is built in it."""
    return {str(path.relative_to(source)) for path in source.rglob('*') if path.is_file()}


@pytest.fixture(scope='module')
def built(source, files, tmp_path_factory) -> Path:
    """A folder with the sdist and the wheel of the checkout."""
    folder = tmp_path_factory.mktemp('built')
    tree = shutil.copytree(source, folder / 'tree')
    for path in tree / NAME, tree / 'test':  # as if tests had run
        (path / '__pycache__').mkdir()
        (path / '__pycache__' / 'module.cpython-311.pyc').touch()
    _build('sdist', tree, folder)
    _build('wheel', tree, folder)
    return folder


@pytest.fixture(scope='module')
def sdist(built) -> Path:
    """The unpacked sdist."""
    (archive,) = built.glob('*.tar.gz')
    with tarfile.open(archive) as tar:
        tar.extractall(built / 'unpacked')
    (folder,) = (built / 'unpacked').iterdir()
    return folder


@pytest.fixture(scope='module')
def wheel(built) -> dict[str, int]:
    """The files of the wheel with their checksums."""
    return _checksums(built)


def _build(kind: str, source: Path, folder: Path) -> None:
    """Builds as pip does, with the setuptools of this environment."""
    call = f'from setuptools import build_meta; build_meta.build_{kind}({str(folder)!r})'
    command = [sys.executable, '-c', call]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.returncode == 0, done.stdout + done.stderr


def _checksums(folder: Path) -> dict[str, int]:
    (archive,) = folder.glob('*.whl')
    with zipfile.ZipFile(archive) as content:
        return {each.filename: each.CRC for each in content.infolist()}


def _metadata(folder: Path) -> Message:
    return message_from_bytes((folder / 'PKG-INFO').read_bytes())


def test_the_sdist_has_every_file_of_the_checkout(sdist, files):
    packed = {str(path.relative_to(sdist)) for path in sdist.rglob('*') if path.is_file()}
    made = {name for name in packed if name == 'PKG-INFO' or f'{NAME}.egg-info' in name}
    assert 'test/packaging/test_sdist.py' in files
    assert packed - made == files
    assert os.access(sdist / 'scripts' / 'server', os.X_OK)


def test_the_wheel_of_the_sdist_is_the_wheel_of_the_checkout(sdist, wheel, tmp_path):
    _build('wheel', sdist, tmp_path)
    assert _checksums(tmp_path) == wheel


def test_the_wheel_has_the_package_and_all_that_ros_shares(wheel, files):
    installed = {re.sub(r'^[\w.-]+\.data/data/', '', name) for name in wheel}
    wanted = {name for name in files if name.startswith(f'{NAME}/')}
    wanted |= {f'share/{NAME}/{name}' for name in files if name.split('/')[0] in SHARED}
    wanted |= {
        name.replace('scripts/', f'lib/{NAME}/', 1)
        for name in files
        if name.startswith('scripts/')
    }
    assert f'share/{NAME}/interfaces/tf2_msgs/msg/TFMessage.msg' in wanted
    assert f'{NAME}/mjcf/elements.pyi' in wanted
    assert wanted - installed == set()


def test_the_page_on_pypi_is_the_readme_without_links_to_files_that_pypi_lacks(sdist, source):
    page = _metadata(sdist)
    text = page.get_payload(decode=True).decode()
    readme = (source / 'README.md').read_text()
    assert page['Description-Content-Type'] == 'text/markdown'
    assert re.findall(r'^#+ .*$', text, re.MULTILINE) == re.findall(
        r'^#+ .*$', readme, re.MULTILINE
    )
    assert text.count('```') == readme.count('```')
    assert [
        target for target in re.findall(r'\]\((.+?)\)', text) if target[:8] != 'https://'
    ] == []


def test_an_address_in_package_xml_gives_the_page_its_links(source, tmp_path):
    copy = shutil.copytree(
        source, tmp_path / NAME, ignore=shutil.ignore_patterns('test', 'docs', 'benchmarks')
    )
    manifest = (copy / 'package.xml').read_text()
    manifest = re.sub(r' *<url .*\n', '', manifest)
    address = '<url type="repository">https://forge.example/team/robot</url>'
    (copy / 'package.xml').write_text(manifest.replace('</license>', f'</license>\n  {address}'))
    command = [sys.executable, 'setup.py', '-q', 'egg_info', '--egg-base', str(tmp_path)]
    subprocess.run(command, cwd=copy, check=True, timeout=DEADLINE_S)
    page = _metadata(tmp_path / f'{NAME}.egg-info')
    text, base = page.get_payload(decode=True).decode(), 'https://forge.example/team/robot'
    assert page.get_all('Project-URL') == [f'Repository, {base}']
    assert f']({base}/raw/{page["Version"]}/docs/images/film-rover-hall.webp)' in text
    assert f'[Sensors]({base}/blob/{page["Version"]}/docs/reference/sensors.md)' in text
    assert f'({base}/blob/{page["Version"]}/docs/index.md#tutorial)' in text
