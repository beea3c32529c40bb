"""The mjVFS in which a program mounts providers; the bindings have no function for mounting."""

from __future__ import annotations

import ctypes

from mujoco_ros_py.engine.libmujoco import library

_P, _TEXT = ctypes.c_void_p, ctypes.c_char_p
_PROTOTYPES = {
    'mjp_findProvider': (_P, _TEXT),
    'mj_defaultVFS': (None, _P),
    'mj_deleteVFS': (None, _P),
    'mj_mountVFS': (ctypes.c_int, _P, _TEXT, _P),
    'mj_unmountVFS': (ctypes.c_int, _P, _TEXT),
    'mj_loadXML': (_P, _TEXT, _P, _P, ctypes.c_int),
    'mj_deleteModel': (None, _P),
}


class FileSystem:
    def __init__(self) -> None:
        self._vfs = (_P * 1)()
        self._call('mj_defaultVFS', self._vfs)

    def mount(self, path: str, prefix: str) -> None:
        provider = self._call('mjp_findProvider', f'{prefix}:'.encode())
        assert self._call('mj_mountVFS', self._vfs, path.encode(), provider) == 0

    def unmount(self, path: str) -> None:
        assert self._call('mj_unmountVFS', self._vfs, path.encode()) == 0

    def load(self, path: str) -> None:
        """Loads a model, and frees it at once."""
        error = ctypes.create_string_buffer(1000)
        model = self._call('mj_loadXML', path.encode(), self._vfs, error, len(error))
        if not model:
            raise ValueError(error.value.decode())
        self._call('mj_deleteModel', model)

    def close(self) -> None:
        self._call('mj_deleteVFS', self._vfs)

    @staticmethod
    def _call(name: str, *arguments: object) -> int:
        # a new object, because other code has set its own types on the shared object
        function = library()[name]
        function.restype, *function.argtypes = _PROTOTYPES[name]
        return function(*arguments)
