"""Attributes that tell in which folders files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .attribute import Attribute
from .words import Keyword, String

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form


class _OfFiles(Attribute):
    """A setting of where files are, written only in a form that keeps the names of files."""

    of_files = True

    def keep(self, element: Element, kept: object) -> None:
        """Sets the folder. Files that elements name already stay where they are."""
        _settle(element)
        super().keep(element, kept)

    def forget(self, element: Element) -> None:
        """Deletes the folder. Files that elements name already stay where they are."""
        _settle(element)
        super().forget(element)

    def text(self, element: Element, kept: object, form: Form) -> str | None:
        """Returns the folder.

        Returns None in a form that names files by their path from the model's folder.
        """
        return str(kept) if form.filenames == 'written' else None


def _settle(element: Element) -> None:
    for each in element.root.walk():
        for file in each._files:
            file.__get__(each)


class Directory(_OfFiles, String):
    """The path of a folder of files."""


class StripPath(_OfFiles, Keyword):
    """Whether MuJoCo ignores the folders in the names of files."""
