from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

# The types that rosidl adds to every action and service, whatever its definition
_WOVEN_IN = {'msg': (), 'srv': ('service_msgs',), 'action': ('service_msgs', 'action_msgs')}


@dataclass(frozen=True, kw_only=True)
class Package:
    """The source of a ROS package that defines interfaces."""

    root: Path
    name: str
    description: str
    license: str
    version: str
    """The version of the wheel: that of package.xml, marked as a local build (PEP 440), and a hash
    of package.xml and the definitions."""
    release: str
    """The release whose types these are: that of package.xml, or another one that it names."""
    interfaces: tuple[Path, ...]
    """The definitions relative to their folder, each in that of its kind: msg, srv or action."""
    depends: tuple[str, ...]
    """The packages whose types the definitions use."""
    unknown_to: str = ''
    """The ROS distribution that has other types of these names; empty if it has these."""

    @classmethod
    def read(cls, root: Path, release: str = '') -> Package:
        """Reads a package: a release, or the one that package.xml itself is of.

        Raises ValueError if package.xml lacks something, if it does not name the release, or if
        there are no types.
        """
        manifest = root / 'package.xml'
        found = {
            path.relative_to(folder): path
            for folder in dict.fromkeys([root, root / release])
            for kind in _WOVEN_IN
            for path in sorted(folder.glob(f'{kind}/*.{kind}'))
        }
        if not found:
            raise ValueError(f'{root} must hold msg/*.msg, srv/*.srv or action/*.action')
        own = _text(manifest, 'version')
        known = {own, *releases(manifest).values()}
        if release not in ('', *known):
            exist = ', '.join(sorted(known))
            raise ValueError(f'{manifest} has no release {release!r}; there are {exist}')
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
        """Returns the folder that a definition is relative to.

        It is that of the release where the release differs from the one of package.xml.
        """
        changed = self.root / self.release
        return changed if (changed / interface).is_file() else self.root

    def manifest(self) -> bytes:
        """Returns the text of package.xml, with the version of the release."""
        path = self.root / 'package.xml'
        own = _text(path, 'version')
        text = path.read_text()
        return text.replace(f'<version>{own}<', f'<version>{self.release}<').encode()

    @property
    def wheel(self) -> str:
        """The name of the package's distribution."""
        return wheel(self.name)


def wheel(package: str) -> str:
    """Returns the name of a ROS package's wheel, on PyPI and here."""
    return f'ros-{package.replace("_", "-")}'


def depends(manifest: Path) -> list[str]:
    """Returns the packages that a package.xml names as needed to build."""
    root = ElementTree.parse(manifest).getroot()
    return [element.text or '' for tag in ('depend', 'build_depend') for element in root.iter(tag)]


def releases(manifest: Path) -> dict[str, str]:
    """Returns the releases that a package.xml names, by the ROS distributions that have them."""
    found = ElementTree.parse(manifest).iterfind('export/release')
    return {element.get('distribution', ''): element.get('version', '') for element in found}


def _fingerprint(files: list[Path]) -> str:
    """Returns a short hash of files; the letter keeps it from being taken for a number."""
    found = sha256()
    for path in files:
        found.update(path.name.encode() + path.read_bytes())
    return f's{found.hexdigest()[:8]}'


def _text(manifest: Path, tag: str) -> str:
    text = ElementTree.parse(manifest).getroot().findtext(tag, '')
    if not text.strip():
        raise ValueError(f'{manifest} must have a <{tag}>')
    return ' '.join(text.split())
