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
    distribution: str
    """The only ROS distribution that has these types; empty if all have them."""
    interfaces: tuple[Path, ...]
    """The definitions relative to `root`, each in the folder of its kind: msg, srv or action."""
    depends: tuple[str, ...]
    """The packages whose types the definitions use."""

    @classmethod
    def read(cls, root: Path) -> Package:
        """Reads a package.

        Raises ValueError if package.xml lacks something, or if there are no types.
        """
        manifest = root / 'package.xml'
        files = [path for kind in _WOVEN_IN for path in sorted(root.glob(f'{kind}/*.{kind}'))]
        if not files:
            raise ValueError(f'{root} must hold msg/*.msg, srv/*.srv or action/*.action')
        woven_in = {name for path in files for name in _WOVEN_IN[path.suffix[1:]]}
        return cls(
            root=root.resolve(),
            name=_text(manifest, 'name'),
            description=_text(manifest, 'description'),
            license=_text(manifest, 'license'),
            version=f'{_text(manifest, "version")}+local.{_fingerprint([manifest, *files])}',
            distribution=ElementTree.parse(manifest).findtext('export/ros_distribution', ''),
            interfaces=tuple(path.relative_to(root) for path in files),
            depends=tuple(sorted({*depends(manifest), *woven_in})),
        )

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
