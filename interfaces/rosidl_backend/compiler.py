"""Compiles the generated sources of a package to libraries and a Python extension."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import chain
from pathlib import Path

from .environment import CC, CXX, TYPE_SUPPORTS, dependencies, prefixes
from .package import Package

# Each library has the name of its generator, and may need the libraries listed before it.
LIBRARIES = ['rosidl_generator_c', *TYPE_SUPPORTS, 'rosidl_typesupport_c', 'rosidl_generator_py']
_RUNTIME = [
    'fastcdr',
    'rcutils',
    'rosidl_runtime_c',
    'rosidl_typesupport_c',
    'rosidl_typesupport_fastrtps_c',
    'rosidl_typesupport_fastrtps_cpp',
    'rosidl_typesupport_introspection_c',
]


def compile_libraries(package: Package, build: Path) -> None:
    """Writes the libraries to `build/lib`, and the extension next to the Python files."""
    python = build / 'rosidl_generator_py' / package.name
    (entry_point,) = python.glob('*.c')
    sources = {name: _bundle(build / name / package.name) for name in LIBRARIES}
    objects = _compile([entry_point, *chain(*sources.values())], _include_flags(build))

    lib = build / 'lib'
    lib.mkdir()
    flags = [f'-L{lib}', *_library_flags(package)]
    for name in LIBRARIES:
        library = f'{package.name}__{name}'
        _link(lib / f'lib{library}.so', [objects[path] for path in sources[name]], flags)
        flags.append(f'-l{library}')
    # ROS loads these by their bare names. Linking them to the extension loads them early, so ROS
    # finds them without LD_LIBRARY_PATH.
    always = ['-Wl,--no-as-needed', *(f'-l{package.name}__{name}' for name in TYPE_SUPPORTS)]
    suffix = sysconfig.get_config_var('EXT_SUFFIX')
    extension = python / f'{package.name}_s__rosidl_typesupport_c{suffix}'
    _link(extension, [objects[entry_point]], [*always, *flags], _way_to_lib(package))


def _bundle(folder: Path) -> list[Path]:
    """Merges the sources of a library into few files, because headers take most of the time.

    Type descriptions stay separate, because they all define the same local names.
    """
    sources = sorted(folder.glob('*/**/*.c*'))
    alone = [path for path in sources if path.stem.endswith('__description')]
    others = [path for path in sources if path not in alone]
    bundle = folder / f'bundle{others[0].suffix}'
    bundle.write_text(''.join(f'#include "{path}"\n' for path in others))
    return [bundle, *alone]


def _compile(sources: list[Path], flags: list[str]) -> dict[Path, Path]:
    """Compiles each source; returns the object files by source."""
    objects = {path: path.with_name(f'{path.name}.o') for path in sources}

    def compile_one(path: Path) -> None:
        compiler = [*CXX, '-std=c++17'] if path.suffix == '.cpp' else [*CC, '-std=gnu11']
        _run([*compiler, '-O1', '-DNDEBUG', '-fPIC', *flags, '-c', path, '-o', objects[path]])

    slow_ones_first = sorted(sources, key=lambda path: path.suffix != '.cpp')
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compile_one, slow_ones_first))
    return objects


def _link(output: Path, objects: list[Path], flags: list[str], way_to_lib: str = '.') -> None:
    """Links a library. Its DT_RPATH makes it find the package's own libraries first."""
    path = ['-Wl,--disable-new-dtags', f'-Wl,-rpath,$ORIGIN/{way_to_lib}']
    _run([*CXX, '-shared', f'-Wl,-soname,{output.name}', *path, '-o', output, *objects, *flags])


def _run(command: list[str | Path]) -> None:
    """Runs a compiler; pip shows the output if the compiler fails."""
    subprocess.run(command, check=True)


def _include_flags(build: Path) -> list[str]:
    """Returns the include flags; headers are in include/<package>/<package> or in include/."""
    folders = [build / name for name in LIBRARIES]
    for prefix in prefixes():
        packages = (prefix / 'include').glob('*')
        folders += [
            *(path for path in packages if (path / path.name).is_dir()),
            prefix / 'include',
        ]
    folders += [Path(sysconfig.get_path('include')), Path(import_module('numpy').get_include())]
    return [f'-I{folder}' for folder in folders]


def _library_flags(package: Package) -> list[str]:
    """Returns flags for all libraries that may be needed; the linker drops unused libraries."""
    types = [f'{name}__{library}' for name in dependencies(package) for library in LIBRARIES]
    folders = [f'-L{prefix / "lib"}' for prefix in prefixes()]
    return [*folders, '-Wl,--as-needed', *(f'-l{name}' for name in (*_RUNTIME, *types))]


def _way_to_lib(package: Package) -> str:
    """Returns the relative path from the installed Python package to the libraries."""
    python = Path(sysconfig.get_path('platlib'), package.name)
    return os.path.relpath(Path(sysconfig.get_path('data'), 'lib'), python)
