"""Attributes that set the folders of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .attribute import Attribute
from .words import Keyword, String

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form


class _OfFiles(Attribute):
    """A setting for file folders; written only if the file names are written unchanged."""

    of_files = True

    def keep(self, element: Element, kept: object) -> None:
        """Sets the folder. Existing file attributes continue to refer to the same files."""
        _settle(element)
        super().keep(element, kept)

    def forget(self, element: Element) -> None:
        """Deletes the folder. Existing file attributes continue to refer to the same files."""
        _settle(element)
        super().forget(element)

    def text(self, element: Element, kept: object, form: Form) -> str | None:
        """Returns the folder, or None if the written file names do not depend on the folder."""
        return str(kept) if form.filenames == 'written' else None


def _settle(element: Element) -> None:
    for each in element.root.walk():
        for file in each._files:
            file.__get__(each)


class Directory(_OfFiles, String):
    """The path of a folder of files."""


class StripPath(_OfFiles, Keyword):
    """Whether MuJoCo ignores the folders in the names of files."""
