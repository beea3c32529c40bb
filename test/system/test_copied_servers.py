"""Servers that are copies of one process: nothing of one is seen in the next.

`vandal/Vandal` looks at what a process has of its own, changes all of it, and looks again.
"""

from __future__ import annotations

import json

import pytest

from .harness import PENDULUM
from .plugin_site import PluginSite

pytestmark = pytest.mark.slow
MODULE = """
import gc
import json
import locale
import logging
import os
import random
import resource
import sys
import threading
import warnings

import mujoco
import numpy as np
from mujoco_ros_py.engine import resources
from mujoco_ros_py.plugins import MujocoPlugin


def looked():
    mask = os.umask(0)
    os.umask(mask)
    return {
        'variable': os.environ.get('VANDAL'),
        'directory': os.getcwd(),
        'mask': mask,
        'limit': resource.getrlimit(resource.RLIMIT_NOFILE),
        'path': 'vandal' in sys.path,
        'module': 'vandal_module' in sys.modules,
        'attribute': hasattr(mujoco.MjModel, 'vandal'),
        'errors': np.geterr()['divide'],
        'log level': logging.getLogger('mujoco_ros_py').level,
        'switches': round(sys.getswitchinterval(), 9),
        'collector': gc.get_threshold(),
        'filters': len(warnings.filters),
        'locale': locale.setlocale(locale.LC_NUMERIC),
        'threads': any(thread.name == 'vandal' for thread in threading.enumerate()),
        'providers': 'vandal' in resources.registered(),
    }


class Provider(resources.ResourceProvider):
    prefix = 'vandal'

    def read(self, uri):
        return b''


def vandalise():
    os.environ['VANDAL'] = 'was here'
    os.chdir('/')
    os.umask(0o77)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))
    sys.path.append('vandal')
    sys.modules['vandal_module'] = sys
    mujoco.MjModel.vandal = True
    np.seterr(divide='raise')
    logging.getLogger('mujoco_ros_py').setLevel(1)
    sys.setswitchinterval(0.01)
    gc.set_threshold(7)
    warnings.simplefilter('ignore', BytesWarning)
    locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')
    threading.Thread(target=threading.Event().wait, name='vandal', daemon=True).start()
    resources.register(Provider)


class Vandal(MujocoPlugin):
    def load(self, model, data):
        before = looked()
        vandalise()
        print('looked:', json.dumps([before, looked()]), flush=True)
"""


def test_what_one_copy_does_to_its_process_no_other_sees(start, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('vandal', MODULE)
    plugins = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[{type: vandal/Vandal}]'}
    found = []
    for name in ('/first', '/beside_the_first'):
        process, _ = start(plugins, '-r', f'__node:={name[1:]}', node=name, **site.environment)
        process.wait_for_output('looked: ')
        (line,) = (line for line in process.lines if line.startswith('looked: '))
        found.append(json.loads(line.removeprefix('looked: ')))
    (first, changed), (second, _) = found
    assert [key for key in first if first[key] == changed[key]] == [], 'all of it was changed'
    assert second == first
