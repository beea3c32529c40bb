"""Compiles a model from a file, a URI or a string, in the calling process."""

from __future__ import annotations

import codecs
import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import dirname

import mujoco

from ...engine.libmujoco import library
from ...engine.resources import holding, provides, read, shown
from ...errors import MjcfError, ModelError, ResourceError
from ...mujoco_log import collecting, forward_warnings, told_once
from ...named_files import is_urdf, other_xml_named_in, special_file_named_in
from .embedded_textures import embed_textures, named_textures
from .initial_state import InitialState
from .mjb_checks import check_indices
from .model_checks import check_options, check_start
from .urdf_compilation import compile_urdf, tell_left_out

_MAX_BYTES = 32 * 2**20
"""The maximum size of an MJCF file. Meshes and textures are separate files, so a larger file is a
mistake."""

_ARCHIVE = re.compile(r'(?!zip:)(?P<archive>.*?\.zip)(!/(?P<file>.*))?', re.IGNORECASE | re.DOTALL)
_OTHER_ROOT = re.compile('Unrecognized XML model type')
_NO_XML = re.compile('XML parse error|XML root element not found')
_ELEMENT_NAME = re.compile(': XMLElement name=.*')
"""The end of MuJoCo's error for a file that is not well-formed XML."""
_EMPTY = '<mujoco model="empty"><worldbody/></mujoco>'


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSource:
    """The source of a model: `path`, `xml` or `made`. Without any of these, the model is empty."""

    path: str = ''
    """The path or URI of an MJCF, URDF, MJB or zip file, or `<zip>!/<file in it>`."""
    xml: str = ''
    """The text of an MJCF or URDF model."""
    assets: Mapping[str, bytes] = field(default_factory=dict)
    """The content of the files that the text refers to, by name."""
    made: mujoco.MjModel | mujoco.MjSpec | None = None
    """A model in memory: an MjModel, which is copied, or an MjSpec, which is compiled."""
    origin: str = 'mujoco_xml'
    """The name of the source in messages, for a string or an in-memory model."""

    @property
    def location(self) -> str:
        """The path, or the origin of a string or in-memory model; empty for an empty world."""
        return self.origin if self.xml or self.made is not None else self.path

    @property
    def self_contained(self) -> bool:
        """Whether the source is a string that refers to no files, so its model never changes."""
        return bool(self.xml) and 'file' not in self.xml

    @property
    def name(self) -> str:
        """The name of the source in messages."""
        path = '' if self.xml or self.made is not None else self.path or 'an empty world'
        return shown(path or self.origin)


def compile_model(source: ModelSource, left_out: list[str] | None = None) -> mujoco.MjModel:
    """Compiles the model. Raises ModelError with the compiler's message.

    Compiling may take long; it runs on the calling thread and releases the GIL. The model contains
    the content of all its files: no file is read later. URDF features that could not be converted
    are added to `left_out`, or logged if `left_out` is None.
    """
    if left_out is None:
        lacking: list[str] = []
        model = compile_model(source, lacking)
        tell_left_out(source.name, lacking)
        return model
    forward_warnings()
    try:
        if source.made is not None:
            return _copied(source.made)
        if (archived := archive_of(source)) is not None:
            return _from_archive(*archived, left_out)
        return embed_textures(_compiled(source, left_out))
    except ModelError:
        raise
    except (ValueError, OSError, mujoco.FatalError, mujoco.UnexpectedError) as error:
        raise ModelError(f'{source.name}: {_said(error, source)}') from error


def _copied(made: mujoco.MjModel | mujoco.MjSpec) -> mujoco.MjModel:
    """Returns a copy of a model, because the caller and the simulation may both change theirs."""
    return copy.copy(made) if isinstance(made, mujoco.MjModel) else made.compile()


def _compiled(source: ModelSource, left_out: list[str]) -> mujoco.MjModel:
    if source.xml:
        _check_size(len(source.xml), source)
        content = source.xml.encode(errors='surrogateescape')
        _check_named(content, '', source)
        if is_urdf(content):
            return compile_urdf(source.xml, '', source.name, source.assets, left_out)
        return mujoco.MjModel.from_xml_string(source.xml, dict(source.assets))
    if provides(source.path):
        return _from_provider(source, left_out)
    if source.path:
        return _from_file(Path(source.path), source, left_out)
    return mujoco.MjModel.from_xml_string(_EMPTY)


def _said(error: Exception, source: ModelSource) -> str:
    """Returns the compiler's message, unless it could quote an XML file that is not a model."""
    text = told_once(error) or type(error).__name__
    content = source.xml.encode(errors='surrogateescape')
    if (path := other_xml_named_in(content, '')) is not None:
        return (
            f"does not compile; MuJoCo's message is hidden because it could quote {shown(path)!r},"
            ' whose root element is neither mujocoinclude nor mujoco'
        )
    if _OTHER_ROOT.search(text):
        return 'is neither MJCF nor URDF: the root element must be mujoco or robot'
    return _ELEMENT_NAME.sub('', text)


def archive_of(source: ModelSource) -> tuple[str, str | None] | None:
    """Returns the zip file of a source, and the model in it; None if the source is not in a zip.

    The model is None if the path does not name it: the zip must then have only one model.
    """
    zipped = None if source.xml else _ARCHIVE.fullmatch(source.path)
    return None if zipped is None else (zipped['archive'], zipped['file'])


def is_compiled(source: ModelSource) -> bool:
    """Returns whether the source is a compiled model (MJB), which no compiler checks."""
    return not source.xml and source.path.lower().endswith('.mjb')


def try_out(model: mujoco.MjModel, initial: InitialState, steps: int = 0) -> mujoco.MjData:
    """Creates data, and tries a forward pass from the initial state, and then `steps` steps.

    MuJoCo's warnings are dropped: MuJoCo repeats them once the simulation runs. Raises ModelError.
    """
    check_options(model)
    try:
        data = mujoco.MjData(model)
        initial.apply(model, data)
        with collecting():
            mujoco.mj_forward(model, data)
            check_start(model, data)
            for _ in range(steps):
                mujoco.mj_step(model, data)
    except (mujoco.FatalError, MemoryError) as error:
        raise ModelError(f'the model cannot be simulated: {error}') from error
    return data


def _from_archive(name: str, file: str | None, left_out: list[str]) -> mujoco.MjModel:
    """Compiles a model in a zip file. All its files are read from the zip."""
    # Imported only when needed, because it imports all of MJCF.
    from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive

    path = Path(name)
    content = _provided(name) if provides(name) else read_archive(_checked(path))
    # Each load opens its own archive, because several loads may read the zip at the same time.
    archive = open_archive(content, shown(name))
    with holding(name, archive) as root:
        try:
            file = file or main_file(archive, main_names(name), shown(name))
        except MjcfError as error:
            raise ModelError(f'{error}; choose one with {shown(name)}!/<path>') from None
        return compile_model(ModelSource(path=root + file), left_out)


def _from_file(path: Path, source: ModelSource, left_out: list[str]) -> mujoco.MjModel:
    _checked(path)
    if path.suffix.lower() == '.mjb':
        return _from_binary(str(path))
    size = path.stat().st_size
    if size == 0:  # files of /proc have no size, and reading them may block
        raise ModelError(f'{source.name}: is empty')
    _check_size(size, source)
    with path.open('rb') as file:
        content = file.read()
    _check_head(content[:4096], source)
    _check_named(content, str(path.parent), source)
    if is_urdf(content):
        return compile_urdf(content, str(path.parent), source.name, {}, left_out)
    return _from_mjcf(str(path), content, source)


def _from_binary(path: str) -> mujoco.MjModel:
    """Loads a compiled model, and checks the indices that MuJoCo uses without a check."""
    with collecting() as reasons:
        try:
            model = mujoco.MjModel.from_binary_path(path)
        except (ValueError, mujoco.FatalError) as error:  # contains only the path, not the reason
            told = '; '.join(reasons) or str(error).strip()
            raise ModelError(
                f'{shown(path)}: is not a model of this version of MuJoCo: {told}'
            ) from error
    count = library().mjp_pluginCount()
    if model.nplugin and model.plugin.max() >= count:
        raise ModelError(
            f'{path}: uses engine plugin {model.plugin.max()}, but only {count} are registered: a'
            ' compiled model refers to plugins by the order of their registration; load the XML'
            ' instead'
        )
    for problem in check_indices(model):
        raise ModelError(f'{path}: the file is damaged: {problem}')
    return model


def _from_provider(source: ModelSource, left_out: list[str]) -> mujoco.MjModel:
    if is_compiled(source):
        return _hermetic(_from_binary(source.path), source)
    content = _provided(source.path)
    _check_size(len(content), source)
    _check_head(content[:4096], source)
    if is_urdf(content):
        return compile_urdf(content, dirname(source.path), source.name, {}, left_out)
    return _from_mjcf(source.path, content, source)


def _from_mjcf(path: str, content: bytes, source: ModelSource) -> mujoco.MjModel:
    """Compiles MJCF. If MuJoCo's parser fails, checks whether the file is XML at all.

    The check comes second because MuJoCo accepts text before the root element.
    """
    try:
        return mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        begin = content.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
        if begin != b'<' and _NO_XML.search(str(error)):
            raise ModelError(f'{source.name}: is text, not XML') from error
        raise


def _hermetic(model: mujoco.MjModel, source: ModelSource) -> mujoco.MjModel:
    """Checks and returns a model that comes from a resource provider, for example by HTTP.

    Raises ModelError if the model refers to texture files, which would be files of this machine.
    """
    for name in named_textures(model):
        raise ModelError(
            f'{source.name}: names the texture file {shown(name)}; a compiled model from this'
            ' source must contain all its textures (mujoco.mj_embedAssets)'
        )
    return model


def _provided(uri: str) -> bytes:
    try:
        return read(uri)
    except ResourceError as error:
        raise ModelError(str(error)) from error


def _checked(path: Path) -> Path:
    if not path.is_file():
        raise ModelError(f'{path}: {"is not a file" if path.exists() else "no such file"}')
    return path


def _check_head(head: bytes, source: ModelSource) -> None:
    if not head.strip():
        raise ModelError(f'{source.name}: is empty')
    if b'\0' in head:
        raise ModelError(f'{source.name}: is binary, not XML')


def _check_named(content: bytes, folder: str, source: ModelSource) -> None:
    """Raises ModelError if a model refers to a FIFO or a device, which would block MuJoCo."""
    if (told := special_file_named_in(content, folder)) is not None:
        raise ModelError(f'{source.name}: {told}')


def _check_size(size: int, source: ModelSource) -> None:
    if size > _MAX_BYTES:
        raise ModelError(
            f'{source.name}: MJCF must have at most {_MAX_BYTES:,} bytes, got {size:,}'
        )
