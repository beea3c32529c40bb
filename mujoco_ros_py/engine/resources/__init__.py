"""Resource providers written in Python."""

from .data import Data
from .failures import shown
from .http import Http, Https
from .lending import Lender, borrow, offered
from .memory import Memory
from .package import Package, resolve
from .provider import ResourceProvider
from .registry import provides, read, register
from .shipped import allow_hosts, memory, register_shipped
from .zip import Zip, holding

__all__ = [
    'Data',
    'Http',
    'Https',
    'Lender',
    'Memory',
    'Package',
    'ResourceProvider',
    'Zip',
    'allow_hosts',
    'borrow',
    'holding',
    'memory',
    'offered',
    'provides',
    'read',
    'register',
    'register_shipped',
    'resolve',
    'shown',
]
