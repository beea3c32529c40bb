"""Opens OpenGL contexts without a screen, by EGL or else by OSMesa."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RenderingError

GRAPHICS_PACKAGES = 'libegl1 and libgl1-mesa-dri (EGL), or libosmesa6'
"""The packages that provide OpenGL on Debian and Ubuntu."""

_BACKENDS = {'egl': 'EGL', 'osmesa': 'OSMesa'}
_PLATFORM_DEVICE = 0x313F
"""The constant EGL_PLATFORM_DEVICE_EXT."""
_MAX_RENDERBUFFER_SIZE, _MAX_VIEWPORT_DIMS, _RENDERER = 0x84E8, 0x0D3A, 0x1F01
"""The constants of OpenGL with these names."""
_ANY_SIZE = 64
"""The size in pixels of the context's own buffer, into which nothing is drawn."""


@dataclass(frozen=True, slots=True)
class GraphicsContext:
    """An OpenGL context, which is current on the thread that opened it and belongs to it."""

    name: str
    """The name for users: ``EGL, llvmpipe (LLVM 15.0.6, 256 bits)``."""
    max_size: int
    """The maximum number of pixels along one side of an image."""
    context: Any

    def close(self) -> None:
        """Closes the context; must be called on the thread that opened it."""
        self.context.free()


def open_context(backend: str) -> GraphicsContext:
    """Opens a context of this backend, or of the first that works for `auto`.

    Raises RenderingError with the reason for each backend.
    """
    problems = []
    for name in _BACKENDS if backend == 'auto' else (backend,):
        try:
            return _open(name)
        except Exception as error:  # PyOpenGL raises many types of errors if a library is missing
            problems.append(f'{_BACKENDS[name]}: {type(error).__name__}: {error}')
    raise RenderingError(
        f'no OpenGL ({"; ".join(problems)}). On Debian and Ubuntu it comes with the packages '
        f'{GRAPHICS_PACKAGES}'
    )


def _open(name: str) -> GraphicsContext:
    context = _context_class(name)(_ANY_SIZE, _ANY_SIZE)
    context.make_current()
    renderer, max_size = _ask(name)
    return GraphicsContext(f'{_BACKENDS[name]}, {renderer}', max_size, context)


def _ask(name: str) -> tuple[str, int]:
    """Asks OpenGL for the renderer and the largest side, without the slow import of PyOpenGL."""
    if name == 'egl':
        get = ctypes.CDLL('libEGL.so.1').eglGetProcAddress
        get.restype = ctypes.c_void_p
        string, integers = get(b'glGetString'), get(b'glGetIntegerv')
    else:
        library = ctypes.CDLL('libOSMesa.so.8')
        functions = library.glGetString, library.glGetIntegerv
        string, integers = (ctypes.cast(each, ctypes.c_void_p).value for each in functions)
    sides = np.zeros(3, np.int32)  # one number, then two
    ask = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_void_p)(integers)
    ask(_MAX_RENDERBUFFER_SIZE, sides[:1].ctypes.data)
    ask(_MAX_VIEWPORT_DIMS, sides[1:].ctypes.data)
    renderer = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(string)(_RENDERER)
    return renderer.decode(), int(sides.min())


def _context_class(name: str) -> Any:
    """Returns MuJoCo's context class; PyOpenGL binds itself to one library at its first import."""
    if name == 'egl':
        _require_egl()
    else:
        ctypes.CDLL('libOSMesa.so.8')  # names the missing library, unlike PyOpenGL
    if os.environ.get('PYOPENGL_PLATFORM', name) != name:
        for module in [m for m in sys.modules if m.partition('.')[0] == 'OpenGL']:
            del sys.modules[module]
    os.environ['PYOPENGL_PLATFORM'] = name
    return importlib.import_module(f'mujoco.{name}').GLContext


def _require_egl() -> None:
    """Raises OSError if no EGL device can be used.

    PyOpenGL would find that out too, but would leave EGL's symbols where MuJoCo takes them for
    OSMesa's.
    """
    egl = ctypes.CDLL('libEGL.so.1')
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    query, get_display = (
        egl.eglGetProcAddress(name)
        for name in (b'eglQueryDevicesEXT', b'eglGetPlatformDisplayEXT')
    )
    if not (query and get_display):
        raise OSError('it cannot be used without a screen')
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
