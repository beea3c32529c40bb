"""Finds the files of model assets, including those that the assets name in their turn."""

from __future__ import annotations

from posixpath import dirname, isabs, relpath
from typing import TYPE_CHECKING

from ...mujoco_resources import below
from ..files.assets import Asset, HashedAsset
from ..files.circles import refuse_circle
from ..files.file_names import assets_of
from ..read.models import from_xml_string
from ..write.form import Form
from ..write.writer import write

if TYPE_CHECKING:
    from .root import RootElement


def with_its_files(host: RootElement, asset: Asset) -> list[Asset]:
    """Returns a model asset, rewritten to name files by hash, followed by these files.

    The result is the asset alone if it is not MJCF. Raises MjcfError for a model that attaches
    itself.
    """
    refuse_circle(asset.to_bytes(), asset.path or '', host.read_file)
    folder = dirname(asset.path or '')
    near = {relpath(k, folder or '.'): v for k, v in host.assets.items() if not isabs(k)}
    try:
        where = below(host.model_dir, folder)
        model = from_xml_string(asset.to_bytes(), model_dir=where, assets=near)
    except ValueError:
        return [asset]
    form = Form(filenames='hashed', prefix_root=model)
    files = [
        HashedAsset(each.contents, each.extension, each.prefix) for each in assets_of(model, form)
    ]
    return [Asset(write(model, form), asset.extension, asset.prefix), *files]
