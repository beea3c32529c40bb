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
"""Sections that are not merged with the sections of attached models."""


class RootElement(_Base):
    """A model: the <mujoco> element and everything in it.

    `model_dir` is the folder for relative file names, or its URI. `assets` maps file names to
    contents and takes precedence over the folder.
    """

    __slots__ = ('_frame', '_namescope', 'assets', 'frames', 'model_dir')

    _is_root = True
    frames: dict[str, AttachmentFrame]
    """The attachment frames of the models attached to this model, by model name."""

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
        """The name of the model, which prefixes the names of its elements while it is attached."""
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
            raise ValueError(f'model must not contain {SEPARATOR!r} while attached, got {name!r}')
        if frames.get(name, frame) is not frame:
            raise ValueError(f'a model {name!r} is already attached')
        frame.root.frames = {name if each is frame else k: each for k, each in frames.items()}

    def read_file(self, path: str) -> bytes:
        """Returns the content of a file named by the model, or of a URI.

        Raises OSError if the file does not exist.
        """
        if path in self.assets:
            return self.assets[path]
        return mujoco_resources.read(self.model_dir, path)

    def has_file(self, path: str) -> bool:
        """Returns whether the model can find a file under this path."""
        return path in self.assets or mujoco_resources.exists(self.model_dir, path)

    def get_assets(self, filename_with_hash: bool = True) -> dict[str, bytes]:
        """Returns the contents of the files named by this model and its attached models.

        The keys are the file names that `to_xml_string` writes with the same argument.
        """
        return contents_by_name(self, self._form(None, 17, 0, filename_with_hash))

    def to_spec(self) -> mujoco.MjSpec:
        """Creates an MjSpec of this model and its attached models, with their files."""
        files = self.get_assets()
        return mujoco.MjSpec.from_string(self.to_xml_string(), include=files, assets=files)

    def to_source(self) -> str:
        """Returns the text that the model was read from, with all later edits applied.

        Comments and order are preserved. Included files replace their <include> elements. A model
        that was not read from text is laid out as in `to_xml_string`. Raises ValueError if models
        are attached to it.
        """
        return to_source(self)

    # Attachment

    @property
    def parent_model(self) -> RootElement | None:
        """The model that this model is attached to, or None."""
        return None if self._frame is None else self._frame.root

    @property
    def root_model(self) -> RootElement:
        """The topmost host of this model, or the model itself if it is not attached."""
        above = self.parent_model
        return self if above is None else above.root_model

    def hosts(self) -> Iterator[RootElement]:
        """Yields the model that this model is attached to, then that model's host, and so on."""
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
        """The frame that attaches this model to another model; None if it is not attached."""
        return self._frame

    def include_copy(self, other: RootElement, override_attributes: bool = False) -> None:
        """Adds copies of another model's elements, under their own names.

        Raises ValueError for a name that is already used, and for an attribute that both models
        set to different values. With `override_attributes` the other model's values win, also for
        elements with the same name.
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
        """Prepares the removal of an element: frees names, and detaches models attached below."""
        if not affect_attachments:
            self._check_shared(element)
        for each in counterparts(element) if affect_attachments else ():
            each.remove(affect_attachments)
        below = list(element.walk())
        frames = [each for each in below if isinstance(each, AttachmentFrame)]
        if frames and not affect_attachments:
            raise ValueError(
                f'{element}: it contains the attached model {frames[0].attachment.model!r};'
                ' use remove(affect_attachments=True) to detach it'
            )
        for frame in frames:
            frame.attachment.detach()
        if any(each._name for each in below):
            self.namescope.resolve()
        for each in below:
            each._rename(each._name, None)

    def _check_shared(self, element: Placed) -> None:
        """Raises ValueError if attached models set options of the element too."""
        for model in self.attachments() if element._always else ():
            for ours, key in set_by_both(self, model, element):
                raise ValueError(
                    f'<{ours.tag}>: the attached model {model.model!r} also sets {key};'
                    ' use remove(affect_attachments=True) to remove it from both'
                )

    def attachments(self) -> Iterator[RootElement]:
        """Yields the directly attached models, in attachment order."""
        return (frame.attachment for frame in self.frames.values())

    def attachments_below(self) -> Iterator[RootElement]:
        """Yields all models below this one; each comes before its own attached models."""
        for model in self.attachments():
            yield model
            yield from model.attachments_below()

    def _child(self, kind: type[Element]) -> Any:
        """Returns the child of a class; of several <default>, the last, which applies globally."""
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
        within = outermost(self)[1:] if form.separate else ()  # these are inside the first class
        return divided(each for each in self._children if each not in within)

    def _identifier(self, form: Form) -> str:
        """Returns the prefix of the model's element names as written with `form`."""
        return form.prefix(self)


make_classes(RootElement, {'site': Attachable, 'worldbody': World, 'model': Submodel})
