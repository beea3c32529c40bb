"""Exports the types of attributes, and of the files that they refer to, under PyMJCF's names."""

from ..mjcf.attributes.file import File
from ..mjcf.attributes.folders import Directory
from ..mjcf.attributes.numbers import Array, Scalar
from ..mjcf.attributes.references import Reference
from ..mjcf.attributes.words import Identifier, Keyword, String
from ..mjcf.files.assets import Asset
from ..mjcf.files.skins import SkinAsset

BaseAsset = Asset
BasePath = Directory
Float = Integer = Scalar

__all__ = [
    'Array',
    'Asset',
    'BaseAsset',
    'BasePath',
    'File',
    'Float',
    'Identifier',
    'Integer',
    'Keyword',
    'Reference',
    'SkinAsset',
    'String',
]
