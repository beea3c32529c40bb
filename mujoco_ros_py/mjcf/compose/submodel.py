"""Model assets, from which <attach> takes parts."""

from __future__ import annotations

from lxml import etree

from ..files.assets import Asset
from ..tree.element import Element
from ..write.form import Form
from .submodel_files import with_its_files

_UNNAMED = 'MuJoCo Model'
"""The name that MuJoCo gives a model without one."""


class Submodel(Element):
    """A model as an asset; without a name of its own it has the name in the model's file."""

    __slots__ = ()

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """Returns the attributes, with the name in the file if the form changes file names."""
        found = super()._texts(form)
        prefix = form.prefix(self.root)
        if self._name or not (prefix or form.name_all):
            return found
        others = [pair for pair in found if pair[0] != 'name']
        return [('name', f'{prefix}{self._name_in_file()}'), *others]

    def _with_its_files(self, asset: Asset) -> list[Asset]:
        return with_its_files(self.root, asset)

    def _name_in_file(self) -> str:
        parser = etree.XMLParser(resolve_entities=False)
        try:
            root = etree.fromstring(self.file.to_bytes(), parser)
        except etree.XMLSyntaxError:
            return _UNNAMED  # MuJoCo reports what is wrong with the file
        return root.get('model') or _UNNAMED
