"""Writes the wheel: a Python package, and the files that ROS expects in the prefix."""

from __future__ import annotations

import base64
import hashlib
import stat
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from .environment import TYPE_SUPPORTS, pins
from .package import Package


def write_wheel(package: Package, build: Path, folder: Path) -> str:
    """Writes the wheel; returns its file name."""
    data = f'{_stem(package)}.data/data'
    files = {str(path): content for path, content in _python_files(package, build)}
    files |= {f'{data}/{path}': content for path, content in _prefix_files(package, build)}
    files |= _metadata(package)
    record = f'{_stem(package)}.dist-info/RECORD'
    files[record] = _record(files) + f'{record},,\n'.encode()
    name = f'{_stem(package)}-{_tag()}.whl'
    with ZipFile(folder / name, 'w') as archive:
        for path, content in files.items():
            info = ZipInfo(path)
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content, ZIP_DEFLATED)
    return name


def write_metadata(package: Package, folder: Path) -> str:
    """Writes the metadata; returns the name of the .dist-info folder."""
    for path, content in _metadata(package).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    return f'{_stem(package)}.dist-info'


def _python_files(package: Package, build: Path) -> Iterator[tuple[Path, bytes]]:
    yield Path(package.name, '__init__.py'), b''  # in ROS, CMake writes it
    yield from _under(build / 'rosidl_generator_py', '*.py', '*.so')


def _prefix_files(package: Package, build: Path) -> Iterator[tuple[Path, bytes]]:
    for path, content in _under(build / 'lib', '*.so'):
        yield 'lib' / path, content
    for generator in ('rosidl_generator_c', *TYPE_SUPPORTS):
        for path, content in _under(build / generator, '*.h'):
            yield Path('include', package.name, path), content
    for generator in ('rosidl_adapter', 'rosidl_generator_type_description'):
        for path, content in _under(build / generator, '*.idl', '*.json'):
            yield 'share' / path, content
    share = Path('share', package.name)
    yield share / 'package.xml', package.manifest()
    for path in package.interfaces:
        yield share / path, (package.folder(path) / path).read_bytes()
    index = Path('share', 'ament_index', 'resource_index')
    forms = [path.with_suffix(end) for path in package.interfaces for end in (path.suffix, '.idl')]
    yield index / 'packages' / package.name, b''
    yield index / 'rosidl_interfaces' / package.name, '\n'.join(sorted(map(str, forms))).encode()


def _under(root: Path, *patterns: str) -> Iterator[tuple[Path, bytes]]:
    for pattern in patterns:
        for path in sorted(root.rglob(pattern)):
            yield path.relative_to(root), path.read_bytes()


def _metadata(package: Package) -> dict[str, bytes]:
    folder = f'{_stem(package)}.dist-info'
    metadata = [
        'Metadata-Version: 2.1',
        f'Name: {package.wheel}',
        f'Version: {package.version}',
        f'Summary: {package.description}',
        f'License: {package.license}',
        'Classifier: Private :: Do Not Upload',
        *(f'Requires-Dist: {pin}' for pin in pins(package)),
    ]
    wheel = [
        'Wheel-Version: 1.0',
        'Generator: rosidl_backend',
        'Root-Is-Purelib: false',
        f'Tag: {_tag()}',
    ]
    license_text = package.root / 'LICENSE'  # of the authors of the definitions
    texts = {f'{folder}/LICENSE': license_text.read_bytes()} if license_text.is_file() else {}
    return texts | {
        f'{folder}/METADATA': '\n'.join([*metadata, '']).encode(),
        f'{folder}/WHEEL': '\n'.join([*wheel, '']).encode(),
    }


def _record(files: Mapping[str, bytes]) -> bytes:
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip('=')
        lines.append(f'{path},sha256={digest},{len(content)}\n')
    return ''.join(lines).encode()


def _stem(package: Package) -> str:
    return f'{package.wheel.replace("-", "_")}-{package.version}'


def _tag() -> str:
    """Returns the wheel tag for this Python and platform."""
    abi = 'cp' + sysconfig.get_config_var('SOABI').split('-')[1]
    platform = sysconfig.get_platform().replace('-', '_').replace('.', '_')
    return f'cp{sys.version_info[0]}{sys.version_info[1]}-{abi}-{platform}'
