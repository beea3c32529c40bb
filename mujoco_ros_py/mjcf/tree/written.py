"""The methods of elements that write them as XML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lxml import etree

from ..write.form import Form
from ..write.writer import texts, write
from .names import NameScope, model_of
from .node import Node

if TYPE_CHECKING:
    from ..attributes import Attribute
    from ..compose.root import RootElement

_DEEP = etree.XMLParser(huge_tree=True)


class Written(Node):
    """An element that can be written.

    Names are prefixed as seen from `prefix_root`, the model that it belongs to if that is None.
    Numbers have the digits that bring them back, or `precision` significant ones; those nearer
    to 0 than `zero_threshold` are 0.
    """

    __slots__ = ()

    def to_xml_string(
        self,
        prefix_root: RootElement | NameScope | None = None,
        self_only: bool = False,
        pretty_print: bool = True,
        debug_context: object = None,
        *,
        precision: int = 17,
        zero_threshold: float = 0,
        filename_with_hash: bool = True,
    ) -> str:
        """The XML of it and all below it. `debug_context` has no effect."""
        form = self._form(prefix_root, precision, zero_threshold, filename_with_hash)
        if self_only:
            form = replace(form, name_all=False)
        return write(self, form, pretty=pretty_print, self_only=self_only)

    def to_xml(
        self,
        prefix_root: RootElement | NameScope | None = None,
        debug_context: object = None,
        *,
        precision: int = 17,
        zero_threshold: float = 0,
        filename_with_hash: bool = True,
    ) -> Any:
        """The XML of it and all below it, as an element of lxml."""
        form = self._form(prefix_root, precision, zero_threshold, filename_with_hash)
        return etree.fromstring(write(self, form, pretty=False), _DEEP)

    def get_attribute_xml_string(
        self,
        attribute_name: str,
        prefix_root: RootElement | NameScope | None = None,
        *,
        precision: int = 17,
        zero_threshold: float = 0,
    ) -> str | None:
        """An attribute as it is in XML; None if it is not there."""
        form = self._form(prefix_root, precision, zero_threshold, True)
        return dict(self._texts(form)).get(self._attribute(attribute_name).key)

    def _attribute(self, name: str) -> Attribute:
        found = self._attributes.get('class' if name == 'dclass' else name)
        if found is None:
            raise AttributeError(f'{self}: {self._unknown_attribute(name)}')
        return found

    @classmethod
    def _unknown_attribute(cls, name: str) -> str:
        return f'unknown attribute {name!r}; known: {", ".join(cls._attributes) or "none"}'

    def _form(
        self,
        prefix_root: RootElement | NameScope | None,
        precision: int,
        zero_threshold: float,
        filename_with_hash: bool,
    ) -> Form:
        return Form(
            precision=precision,
            zero_threshold=zero_threshold,
            filenames='hashed' if filename_with_hash else 'plain',
            prefix_root=model_of(prefix_root or self.root),
            name_all=self.root._names_all,
        )

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        """The attributes of the element in XML, in their order."""
        found = texts(self, form)
        if form.as_kept:
            return found
        if form.separate and self.tag == 'compiler':  # a total mass would be that of all models
            return [pair for pair in found if pair[0] != 'settotalmass']
        weigh = form.weigh.get(id(self.root)) if form.weigh else None
        return found if weigh is None else weigh(self, found, form)

    def _written_children(self, form: Form) -> Sequence[Any]:
        """The elements that are written between its tags."""
        return self._children

    def __str__(self) -> str:
        return write(self, Form(lenient=True), pretty=False, self_only=True)

    def __repr__(self) -> str:
        return f'MJCF Element: {self}'
