"""Model assets, the sources of <attach>."""

from __future__ import annotations

from posixpath import dirname, isabs, relpath
from typing import TYPE_CHECKING

from lxml import etree

from ...mujoco_resources import below
from ..files.assets import Asset, HashedAsset
from ..files.circles import refuse_circle
from ..files.names import assets_of
from ..read.models import from_xml_string
from ..tree.element import Element
from ..write.form import Form
from ..write.writer import write

if TYPE_CHECKING:
    from .root import RootElement

_UNNAMED = 'MuJoCo Model'
"""MuJoCo's name for a model without a name."""


class Submodel(Element):
    """A model as an asset. Without a `name` attribute, it has the model name in its file."""

    __slots__ = ()

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """Returns the attributes; adds the name from the file if `form` prefixes or adds names."""
        found = super()._texts(form)
        prefix = form.prefix(self.root)
        if self._name or not (prefix or form.name_all):
            return found
        others = [pair for pair in found if pair[0] != 'name']
        return [('name', f'{prefix}{self._name_in_file()}'), *others]

    def _with_its_files(self, asset: Asset) -> list[Asset]:
        return _with_its_files(self.root, asset)

    def _name_in_file(self) -> str:
        parser = etree.XMLParser(resolve_entities=False)
        try:
            root = etree.fromstring(self.file.to_bytes(), parser)
        except etree.XMLSyntaxError:
            return _UNNAMED  # MuJoCo reports the syntax error
        return root.get('model') or _UNNAMED


def _with_its_files(host: RootElement, asset: Asset) -> list[Asset]:
    """Returns a model asset, rewritten to use hashed file names, followed by these files.

    An asset that is not MJCF is returned alone. Raises MjcfError if a model attaches itself.
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
