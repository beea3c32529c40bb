"""Attributes that tell where files are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .attribute import Attribute
from .words import Keyword, String

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form


class _OfFiles(Attribute):
    """What tells where files are, which is written only where their names are as they were."""

    of_files = True

    def keep(self, element: Element, kept: Any) -> None:
        """Sets the folder; files that are named already stay where they are."""
        _settle(element)
        super().keep(element, kept)

    def forget(self, element: Element) -> None:
        """Sets no folder any more; files that are named already stay where they are."""
        _settle(element)
        super().forget(element)

    def text(self, element: Element, kept: Any, form: Form) -> str | None:
        """The folder; None where files are named by paths from that of the model."""
        return str(kept) if form.filenames == 'written' else None


def _settle(element: Element) -> None:
    for each in element.root.walk():
        for file in each._files:
            file.__get__(each)


class Directory(_OfFiles, String):
    """A folder of files."""


class StripPath(_OfFiles, Keyword):
    """Whether the folders in the names of files are ignored."""
