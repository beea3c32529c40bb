"""Resource providers of MuJoCo, written in Python."""

from ...mujoco_resources import provides
from .data import Data
from .failures import shown
from .http import Http, Https
from .lending import Lender, borrow, offered
from .memory_files import Memory
from .package import Package, local_path
from .provider import ResourceProvider
from .provider_registry import read, register, registered
from .provider_registry import restore as restore_providers
from .shipped_providers import HostGrant, memory, register_shipped
from .zip import Zip, held_archives, holding

__all__ = [
    'Data',
    'HostGrant',
    'Http',
    'Https',
    'Lender',
    'Memory',
    'Package',
    'ResourceProvider',
    'Zip',
    'borrow',
    'held_archives',
    'holding',
    'local_path',
    'memory',
    'offered',
    'provides',
    'read',
    'register',
    'register_shipped',
    'registered',
    'restore_providers',
    'shown',
]
