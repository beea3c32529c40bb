from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

# The types that rosidl weaves into each, whatever it says itself
_WOVEN_IN = {'msg': (), 'srv': ('service_msgs',), 'action': ('service_msgs', 'action_msgs')}


@dataclass(frozen=True, kw_only=True)
class Package:
    """The source of a ROS package that defines interfaces."""

    root: Path
    name: str
    description: str
    license: str
    version: str
    """Of the wheel: that of package.xml, marked as one built at home (PEP 440)."""
    interfaces: tuple[Path, ...]
    """Relative to `root`, each in the folder of its kind: msg, srv or action."""
    depends: tuple[str, ...]
    """The packages whose types these are made of."""

    @classmethod
    def read(cls, root: Path) -> Package:
        """Raise ValueError where package.xml lacks something, or no type is defined."""
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
            version=f'{_text(manifest, "version")}+local',
            interfaces=tuple(path.relative_to(root) for path in files),
            depends=tuple(sorted({*depends(manifest), *woven_in})),
        )

    @property
    def wheel(self) -> str:
        """The name of its distribution."""
        return wheel(self.name)


def wheel(package: str) -> str:
    """The name that the wheel of a ROS package has, on PyPI and here."""
    return f'ros-{package.replace("_", "-")}'


def depends(manifest: Path) -> list[str]:
    """What a package.xml names as needed to build."""
    root = ElementTree.parse(manifest).getroot()
    return [element.text or '' for tag in ('depend', 'build_depend') for element in root.iter(tag)]


def _text(manifest: Path, tag: str) -> str:
    text = ElementTree.parse(manifest).getroot().findtext(tag, '')
    if not text.strip():
        raise ValueError(f'{manifest} must have a <{tag}>')
    return ' '.join(text.split())
