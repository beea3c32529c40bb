from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

# The packages of the types that rosidl adds to every action and service.
_WOVEN_IN = {'msg': (), 'srv': ('service_msgs',), 'action': ('service_msgs', 'action_msgs')}


@dataclass(frozen=True, kw_only=True)
class Package:
    """The source of a ROS package that defines interfaces."""

    root: Path
    name: str
    description: str
    license: str
    version: str
    """The version of the wheel: the release, and as the local version (PEP 440) a hash of
    package.xml and the definitions."""
    release: str
    """The release of the types: the version in package.xml, or another release listed there."""
    interfaces: tuple[Path, ...]
    """The paths of the definitions, such as msg/Name.msg, relative to `folder`."""
    depends: tuple[str, ...]
    """The packages whose types the definitions use."""
    unknown_to: str = ''
    """The environment's ROS distribution if package.xml lists releases, but none for this
    distribution; otherwise empty."""

    @classmethod
    def read(cls, root: Path, release: str = '') -> Package:
        """Reads a package: the given release, or the version in package.xml.

        Raises ValueError if package.xml is incomplete or does not list the release, or if the
        package has no types.
        """
        manifest = root / 'package.xml'
        found = {
            path.relative_to(folder): path
            for folder in dict.fromkeys([root, root / release])
            for kind in _WOVEN_IN
            for path in sorted(folder.glob(f'{kind}/*.{kind}'))
        }
        if not found:
            raise ValueError(f'{root} must contain msg/*.msg, srv/*.srv or action/*.action')
        own = _text(manifest, 'version')
        known = {own, *releases(manifest).values()}
        if release not in ('', *known):
            exist = ', '.join(sorted(known))
            raise ValueError(f'{manifest} has no release {release!r}; known: {exist}')
        release = release or own
        woven_in = {name for path in found for name in _WOVEN_IN[path.suffix[1:]]}
        return cls(
            root=root.resolve(),
            name=_text(manifest, 'name'),
            description=_text(manifest, 'description'),
            license=_text(manifest, 'license'),
            version=f'{release}+local.{_fingerprint([manifest, *found.values()])}',
            release=release,
            interfaces=tuple(found),
            depends=tuple(sorted({*depends(manifest), *woven_in})),
        )

    def folder(self, interface: Path) -> Path:
        """Returns the folder with a definition.

        Definitions that differ from the version in package.xml are in a folder for their release.
        """
        changed = self.root / self.release
        return changed if (changed / interface).is_file() else self.root

    def manifest(self) -> bytes:
        """Returns the content of package.xml, with the version replaced by the release."""
        path = self.root / 'package.xml'
        own = _text(path, 'version')
        text = path.read_text()
        return text.replace(f'<version>{own}<', f'<version>{self.release}<').encode()

    @property
    def wheel(self) -> str:
        """The name of the package's wheel."""
        return wheel(self.name)


def wheel(package: str) -> str:
    """Returns the name of a ROS package's wheel; PyPI uses the same names."""
    return f'ros-{package.replace("_", "-")}'


def depends(manifest: Path) -> list[str]:
    """Returns the build dependencies of a package.xml."""
    root = ElementTree.parse(manifest).getroot()
    return [element.text or '' for tag in ('depend', 'build_depend') for element in root.iter(tag)]


def releases(manifest: Path) -> dict[str, str]:
    """Returns the releases that a package.xml lists, by ROS distribution."""
    found = ElementTree.parse(manifest).iterfind('export/release')
    return {element.get('distribution', ''): element.get('version', '') for element in found}


def _fingerprint(files: list[Path]) -> str:
    """Returns a short hash of files; a leading letter keeps PEP 440 from reading a number."""
    found = sha256()
    for path in files:
        found.update(path.name.encode() + path.read_bytes())
    return f's{found.hexdigest()[:8]}'


def _text(manifest: Path, tag: str) -> str:
    text = ElementTree.parse(manifest).getroot().findtext(tag, '')
    if not text.strip():
        raise ValueError(f'{manifest} must have a <{tag}>')
    return ' '.join(text.split())
