"""Copies the content of a model into another model."""

from __future__ import annotations

from typing import Any

from .element import RootElement, copy_into

__all__ = ['Copier']


class Copier:
    """Copies the model `source` into other models.

    Raises NotImplementedError if models are attached to `source`.
    """

    def __init__(self, source: RootElement) -> None:
        if source.frames:
            raise NotImplementedError('a model with attached models cannot be copied into another')
        self._source = source

    def copy_into(
        self, destination: RootElement, override_attributes: bool = False
    ) -> dict[Any, Any]:
        """Copies the source into the destination; returns a dict from source elements to copies.

        With `override_attributes`, the source's value wins if both models set an attribute.
        """
        copies = copy_into(destination, self._source, override_attributes)
        return dict(copies.values())
