"""Opens offscreen OpenGL contexts, with EGL or else OSMesa."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import RenderingError

GRAPHICS_PACKAGES = 'libegl1 and libgl1-mesa-dri (EGL), or libosmesa6'
"""The packages that provide OpenGL on Debian and Ubuntu."""

_BACKENDS = {'egl': 'EGL', 'osmesa': 'OSMesa'}
_PLATFORM_DEVICE = 0x313F
"""The value of EGL_PLATFORM_DEVICE_EXT."""
_MAX_RENDERBUFFER_SIZE, _MAX_VIEWPORT_DIMS, _RENDERER = 0x84E8, 0x0D3A, 0x1F01
"""The values of the OpenGL constants with these names."""
_ANY_SIZE = 64
"""The side in pixels of the context's own framebuffer, which is never drawn to."""


@dataclass(frozen=True, slots=True)
class GraphicsContext:
    """An OpenGL context, current on the thread that opened it and usable only there."""

    name: str
    """The name shown to users: ``EGL, llvmpipe (LLVM 15.0.6, 256 bits)``."""
    max_size: int
    """The maximum width and height of an image, in pixels."""
    context: Any

    def close(self) -> None:
        """Closes the context; must be called on the thread that opened it."""
        self.context.free()


def open_context(backend: str) -> GraphicsContext:
    """Opens a context with this backend; `auto` takes the first backend that works.

    Raises RenderingError if no backend works, with the reason for each.
    """
    problems = []
    for name in _BACKENDS if backend == 'auto' else (backend,):
        try:
            return _open(name)
        except Exception as error:  # PyOpenGL raises many error types if a library is missing
            problems.append(f'{_BACKENDS[name]}: {type(error).__name__}: {error}')
    raise RenderingError(
        f'no OpenGL ({"; ".join(problems)}). On Debian and Ubuntu, install {GRAPHICS_PACKAGES}'
    )


def _open(name: str) -> GraphicsContext:
    context = _context_class(name)(_ANY_SIZE, _ANY_SIZE)
    context.make_current()
    renderer, max_size = _ask(name)
    return GraphicsContext(f'{_BACKENDS[name]}, {renderer}', max_size, context)


def _ask(name: str) -> tuple[str, int]:
    """Returns OpenGL's renderer and maximum image side, without the slow import of PyOpenGL."""
    if name == 'egl':
        get = ctypes.CDLL('libEGL.so.1').eglGetProcAddress
        get.restype = ctypes.c_void_p
        string, integers = get(b'glGetString'), get(b'glGetIntegerv')
    else:
        library = ctypes.CDLL('libOSMesa.so.8')
        functions = library.glGetString, library.glGetIntegerv
        string, integers = (ctypes.cast(each, ctypes.c_void_p).value for each in functions)
    sides = np.zeros(3, np.int32)  # the first query returns one number, the second two
    ask = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_void_p)(integers)
    ask(_MAX_RENDERBUFFER_SIZE, sides[:1].ctypes.data)
    ask(_MAX_VIEWPORT_DIMS, sides[1:].ctypes.data)
    renderer = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(string)(_RENDERER)
    return renderer.decode(), int(sides.min())


def _context_class(name: str) -> Any:
    """Returns MuJoCo's context class.

    PyOpenGL binds to one library when it is imported; for another library, it is imported again.
    """
    if name == 'egl':
        _require_egl()
    else:
        ctypes.CDLL('libOSMesa.so.8')  # its error names the missing library; PyOpenGL's does not
    if os.environ.get('PYOPENGL_PLATFORM', name) != name:
        for module in [m for m in sys.modules if m.partition('.')[0] == 'OpenGL']:
            del sys.modules[module]
    os.environ['PYOPENGL_PLATFORM'] = name
    return importlib.import_module(f'mujoco.{name}').GLContext


def _require_egl() -> None:
    """Raises OSError if no EGL device is usable.

    PyOpenGL would fail too, but it would leave EGL's symbols loaded, and MuJoCo would mistake them
    for OSMesa's symbols.
    """
    egl = ctypes.CDLL('libEGL.so.1')
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    query, get_display = (
        egl.eglGetProcAddress(name)
        for name in (b'eglQueryDevicesEXT', b'eglGetPlatformDisplayEXT')
    )
    if not (query and get_display):
        raise OSError('EGL cannot be used without a screen')
    devices, count = (ctypes.c_void_p * 16)(), ctypes.c_int()
    ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(query)(
        len(devices), ctypes.addressof(devices), ctypes.addressof(count)
    )
    make = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
    for device in devices[: count.value]:
        display = make(get_display)(_PLATFORM_DEVICE, device, None)
        if display and egl.eglInitialize(ctypes.c_void_p(display), None, None):
            return
    raise OSError(f'none of its {count.value} devices can be used')
