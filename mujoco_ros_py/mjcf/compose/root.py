"""The root element of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import mujoco

from ... import mujoco_resources
from ..files.export import contents_by_name
from ..sources.saving import to_source
from ..tree.element import Element
from ..tree.kinds import make_classes
from ..tree.names import NameScope
from ..tree.outermost import DEFAULT, outermost
from ..tree.placed import Placed
from ..write.form import SEPARATOR, Form
from .attachment import AttachmentFrame, attach
from .attachment_points import Attachable, World
from .copying import copy_into, include
from .merged_sections import divided, sections
from .shared_options import counterparts, set_by_both
from .submodel import Submodel

if TYPE_CHECKING:
    from ..elements import _Mujoco as _Base
else:
    _Base = Element

_UNNAMED = 'unnamed_model'
_OWN = 'worldbody', 'default'
"""The sections that are not merged with those of attached models."""


class RootElement(_Base):
    """A model: the element <mujoco> and everything in it.

    `model_dir` is the folder that file names are relative to, or its URI. `assets` has the
    contents of files by name, and is searched before the folder.
    """

    __slots__ = ('_frame', '_namescope', 'assets', 'frames', 'model_dir')

    _is_root = True
    frames: dict[str, AttachmentFrame]
    """The attachment frames of the models that are attached to this one, by the names of these
    models."""

    def __init__(
        self, model: str | None = None, model_dir: str = '', assets: dict[str, bytes] | None = None
    ) -> None:
        self._parent = None
        self._values = {}
        self._children = []
        self._edited = False
        self._source = None
        self._start = self._stop = -1
        self._frame: AttachmentFrame | None = None
        self._namescope = NameScope(self)
        self.frames = {}
        self.model_dir = model_dir
        self.assets = dict(assets or {})
        if model:
            self.model = model

    @property
    def root(self) -> RootElement:
        """The model itself."""
        return self

    @property
    def namescope(self) -> NameScope:
        """The names of the model's elements."""
        return self._namescope

    @property
    def model(self) -> str:
        """The name of the model, which prefixes its elements' names when it is attached."""
        return self._values.get('model') or _UNNAMED

    @model.setter
    def model(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f'model must be a name, got {name!r}')
        if self._frame is not None:
            self.namescope.resolve()
            self._rename_frame(self._frame, name)
        self._values['model'] = name
        self._edited = True

    def _rename_frame(self, frame: AttachmentFrame, name: str) -> None:
        frames = frame.root.frames
        if SEPARATOR in name:
            raise ValueError(f'model must be without {SEPARATOR!r} while attached, got {name!r}')
        if frames.get(name, frame) is not frame:
            raise ValueError(f'a model {name!r} is attached already')
        frame.root.frames = {name if each is frame else k: each for k, each in frames.items()}

    def read_file(self, path: str) -> bytes:
        """Returns the content of a file that the model names, or of a URI.

        Raises OSError if it is missing.
        """
        if path in self.assets:
            return self.assets[path]
        return mujoco_resources.read(self.model_dir, path)

    def has_file(self, path: str) -> bool:
        """Returns whether there is a file that the model may name by this path."""
        return path in self.assets or mujoco_resources.exists(self.model_dir, path)

    def get_assets(self, filename_with_hash: bool = True) -> dict[str, bytes]:
        """Returns the contents of the files that this model and those attached to it name.

        The keys are the file names that `to_xml_string` writes if it is given the same argument.
        """
        return contents_by_name(self, self._form(None, 17, 0, filename_with_hash))

    def to_spec(self) -> mujoco.MjSpec:
        """Makes an MjSpec of this model and of those attached to it, with their files."""
        files = self.get_assets()
        return mujoco.MjSpec.from_string(self.to_xml_string(), include=files, assets=files)

    def to_source(self) -> str:
        """Returns the text that the model was read from, with all later edits.

        Comments and order stay. Included files are written in the place of their includes. A model
        that was not read has the layout of `to_xml_string`. Raises ValueError if models are
        attached to it.
        """
        return to_source(self)

    # Attachment

    @property
    def parent_model(self) -> RootElement | None:
        """The model that this one is attached to; None if there is none."""
        return None if self._frame is None else self._frame.root

    @property
    def root_model(self) -> RootElement:
        """The topmost model of all that this one is attached to, or the model itself."""
        above = self.parent_model
        return self if above is None else above.root_model

    def hosts(self) -> Iterator[RootElement]:
        """Yields the host that this model is attached to, then that host's own host, and so on."""
        above = self.parent_model
        while above is not None:
            yield above
            above = above.parent_model

    def attach(self, other: RootElement, *, extra_body: bool = True) -> AttachmentFrame:
        """Attaches another model to the world, with the arguments and errors of `Site.attach`."""
        return self._attach_at(self.worldbody, other, extra_body)

    def _attach_at(self, place: Element, other: RootElement, extra_body: bool) -> AttachmentFrame:
        return attach(place, other, extra_body=extra_body)

    def _become_attached(self, frame: AttachmentFrame, name: str) -> None:
        if name != self.model:
            self.model = name
        frame.attachment = self
        self._frame = frame

    def detach(self) -> None:
        """Detaches this model from its host. Raises RuntimeError if it is not attached."""
        frame = self._frame
        if frame is None or frame._parent is None:
            raise RuntimeError(f'model {self.model!r} is not attached to another model')
        del frame.root.frames[self.model]
        frame._parent._children.remove(frame)
        frame._parent = self._frame = None

    @property
    def frame(self) -> AttachmentFrame | None:
        """The frame by which this model is attached to another one; None if it is not attached."""
        return self._frame

    def include_copy(self, other: RootElement, override_attributes: bool = False) -> None:
        """Adds copies of another model's elements, under their own names.

        Raises ValueError for a name that is taken, and for an attribute that both models set to
        different values; with `override_attributes` the value of the other model is taken instead,
        also for elements of the same name.
        """
        include(self, other, override_attributes)

    def __copy__(self) -> RootElement:
        copy = self._empty_copy()
        copy_into(copy, self)
        return copy

    def __deepcopy__(self, memo: object) -> RootElement:
        return self.__copy__()

    def _empty_copy(self) -> RootElement:
        return type(self)(model_dir=self.model_dir, assets=self.assets)

    def _leave(self, element: Placed, affect_attachments: bool) -> None:
        """Frees the names of an element and those below it, and detaches models attached there."""
        if not affect_attachments:
            self._check_shared(element)
        for each in counterparts(element) if affect_attachments else ():
            each.remove(affect_attachments)
        below = list(element.walk())
        frames = [each for each in below if isinstance(each, AttachmentFrame)]
        if frames and not affect_attachments:
            raise ValueError(
                f'{element}: model {frames[0].attachment.model!r} is attached in it;'
                ' remove(affect_attachments=True) detaches it'
            )
        for frame in frames:
            frame.attachment.detach()
        if any(each._name for each in below):
            self.namescope.resolve()
        for each in below:
            each._rename(each._name, None)

    def _check_shared(self, element: Placed) -> None:
        """Raises ValueError for an element with options that attached models set too."""
        for model in self.attachments() if element._always else ():
            for ours, key in set_by_both(self, model, element):
                raise ValueError(
                    f'<{ours.tag}>: model {model.model!r}, which is attached, sets {key} too;'
                    ' remove(affect_attachments=True) removes it for both'
                )

    def attachments(self) -> Iterator[RootElement]:
        """Returns the models attached directly to this one, in the order of their attachment."""
        return (frame.attachment for frame in self.frames.values())

    def attachments_below(self) -> Iterator[RootElement]:
        """Yields all models below this one, each before those that are attached to it."""
        for model in self.attachments():
            yield model
            yield from model.attachments_below()

    def _child(self, kind: type[Element]) -> Any:
        """Returns the child of a class; of several <default> the last, which is the global one."""
        several = outermost(self) if kind.tag == DEFAULT else ()
        return several[-1] if several else super()._child(kind)

    def _attached_children(self, kind: type[Element]) -> list[Element]:
        if kind.tag in _OWN:
            return []
        attached = (section for model in self.attachments() for section in model._children)
        return [
            child
            for section in attached
            if type(section) is kind
            for child in section.all_children()
            if child._repeated
        ]

    def _written_children(self, form: Form) -> Any:
        if self.frames or form.apart:
            return divided(sections(self, form))
        within = outermost(self)[1:] if form.separate else ()  # the first one contains the others
        return divided(each for each in self._children if each not in within)

    def _identifier(self, form: Form) -> str:
        """Returns the prefix of the names of the model's elements in this form."""
        return form.prefix(self)


make_classes(RootElement, {'site': Attachable, 'worldbody': World, 'model': Submodel})
