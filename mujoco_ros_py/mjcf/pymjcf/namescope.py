"""The names of a model's elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tree.names import NameScope as _NameScope
from ..tree.names import model_of

if TYPE_CHECKING:
    from .element import RootElement

__all__ = ['NameScope']


class NameScope(_NameScope):
    """The names of one model, with the additional properties that PyMJCF's name scopes have."""

    mjcf_model: RootElement

    @property
    def model_dir(self) -> str:
        """The folder for relative file names."""
        return self.mjcf_model.model_dir

    @property
    def assets(self) -> dict[str, bytes]:
        """The contents of the files passed with the model, by name."""
        return self.mjcf_model.assets

    def full_prefix(self, prefix_root: Any = None, as_list: bool = False) -> Any:
        """Returns the prefix of the model's names, as a string or as a list of model names."""
        prefix = super().full_prefix(prefix_root and model_of(prefix_root))
        return prefix.split('/')[:-1] if as_list else prefix

    def get(self, namespace: str, identifier: str) -> Any:
        """Returns the element with this name.

        The namespaces `attached_model`, `attachment_frame` and `namescope` find an attached model
        by name, and return the model, its frame or its name scope. Raises KeyError if the name is
        unknown.
        """
        frame = self.mjcf_model.frames.get(identifier)
        if frame is not None and namespace in ('attachment_frame', 'attached_model', 'namescope'):
            model = frame.attachment
            return {'attached_model': model, 'namescope': model.namescope}.get(namespace, frame)
        return super().get(namespace, identifier)

    def has_identifier(self, namespace: str, identifier: str) -> bool:
        """Returns whether an element of this kind has the name."""
        try:
            self.get(namespace, identifier)
        except KeyError:
            return False
        return True
