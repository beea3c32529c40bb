"""The methods that write elements as XML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lxml import etree

from ..write.form import Form
from ..write.writer import texts, write
from .names import NameScope, model_of
from .placed import Placed

if TYPE_CHECKING:
    from ..attributes import Attribute
    from ..compose.root import RootElement

_DEEP = etree.XMLParser(huge_tree=True)


class Writable(Placed):
    """An element that can be written as XML.

    Names are relative to `prefix_root`, by default the element's own model. Numbers are written
    with enough digits to restore the same number, or with `precision` significant digits; numbers
    closer to 0 than `zero_threshold` are written as 0.
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
        """Returns the XML of the element and its descendants.

        `debug_context` has no effect.
        """
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
        """Returns the XML of the element and its descendants, as an lxml element."""
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
        """Returns the XML text of an attribute, or None if it is not set."""
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
        """Returns the XML names and texts of the element's attributes, in their order."""
        found = texts(self, form)
        if form.as_kept:
            return found
        if form.separate and self.tag == 'compiler':  # a total mass would scale all models
            return [pair for pair in found if pair[0] != 'settotalmass']
        weigh = form.weigh.get(id(self.root)) if form.weigh else None
        return found if weigh is None else weigh(self, found, form)

    def _written_children(self, form: Form) -> Sequence[Any]:
        """Returns the elements written between the element's tags."""
        return self._children

    def __str__(self) -> str:
        return write(self, Form(lenient=True), pretty=False, self_only=True)

    def __repr__(self) -> str:
        return f'MJCF Element: {self}'
