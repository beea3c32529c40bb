"""Exports the types of attributes, and of the files that they refer to, under PyMJCF's names."""

from ..attributes.file import File
from ..attributes.folders import Directory
from ..attributes.numbers import Array, Scalar
from ..attributes.references import Reference
from ..attributes.words import Identifier, Keyword, String
from ..files.assets import Asset
from ..files.skins import SkinAsset

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
