"""One attribute from all that is known of it."""

from dataclasses import replace

from ..specs import AttributeSpec
from . import overlay
from .probing import Probe
from .reference import Reference


class Attributes:
    """Makes the specs; `left_out` collects what nothing describes."""

    def __init__(self, reference: Reference, probe: Probe) -> None:
        self.reference = reference
        self.probe = probe
        self.left_out: list[str] = []

    def of(self, path: str, names: list[str]) -> dict[str, AttributeSpec]:
        """By name, of the element at a path such as `body/geom`."""
        required = self.probe.required(path)
        return {name: self._make(path, name, name in required) for name in names}

    def frame(self) -> dict[str, AttributeSpec]:
        """Of frame; those for scales only where the parser reads them."""
        scales = [name for name in overlay.FRAME_SCALE if self.probe.kind('frame', name)]
        return self.of('frame', [*overlay.FRAME, *scales])

    def replicate(self) -> dict[str, AttributeSpec]:
        return self.of('replicate', list(overlay.REPLICATE))

    def _make(self, path: str, name: str, required: bool) -> AttributeSpec:
        spec = self._described(path, name) or self._probed(path, name)
        spec = self._numbers(path, self._words(path, spec))
        return _named(path, replace(spec, required=required or _is_required(path, spec)))

    def _described(self, path: str, name: str) -> AttributeSpec | None:
        found = None
        for place in _places(path):
            found = found or self.reference.find(place, name)
        return found or self.reference.shared.get(name)

    def _probed(self, path: str, name: str) -> AttributeSpec:
        kind = self.probe.kind(path, name)
        if kind in ('int', 'real'):
            return AttributeSpec(name, kind, 0, None)
        self.left_out.append(f'{path}@{name}' + (f' ({kind})' if kind else ''))
        return AttributeSpec(name, 'string')

    def _words(self, path: str, spec: AttributeSpec) -> AttributeSpec:
        words = tuple(w for w in spec.keywords if not self.probe.refuses(path, spec.name, w))
        several = '/'.join([*path.split('/')[-1:], spec.name]) in overlay.SEVERAL_KEYWORDS
        return replace(spec, keywords=words, kind='keywords' if several else spec.kind)

    def _numbers(self, path: str, spec: AttributeSpec) -> AttributeSpec:
        """The lengths that the parser takes, if it reads the attribute as numbers."""
        if spec.kind not in ('int', 'real') or not self.probe.kind(path, spec.name):
            return spec
        low, high = self.probe.lengths(path, spec.name, 16)
        return replace(spec, low=0 if high is None else low, high=high)


def _is_required(path: str, spec: AttributeSpec) -> bool:
    return spec.required and not path.startswith('default/')


def _places(path: str) -> list[str]:
    """Where an attribute of the element can be described."""
    section, _, tag = path.partition('/')
    places = [path]
    if section == 'default':
        places += [f'{s}/{tag}' for s in ('body', 'asset', 'actuator')]
        if tag and '/' not in tag:
            section = 'actuator'
    places += [overlay.ALIKE[path]] if path in overlay.ALIKE else []
    places += [overlay.ALIKE_BELOW[section]] if section in overlay.ALIKE_BELOW else []
    return places


def _named(path: str, spec: AttributeSpec) -> AttributeSpec:
    """With what the attribute points to, is unique in or lies in."""
    tag = path.rpartition('/')[2]
    if spec.kind != 'string' or f'{tag}/{spec.name}' in overlay.STRINGS:
        return spec
    if spec.name == ('class' if path in ('default', 'default/default') else 'name'):
        return replace(spec, kind='identifier', namespace=overlay.UNIQUE.get(path, namespace(path)))
    if f'{path}/{spec.name}' in overlay.SEVERAL_REFERENCES:
        target = overlay.SEVERAL_REFERENCES[f'{path}/{spec.name}']
        return replace(spec, kind='references', namespace=target)
    if spec.name in overlay.PATHS:
        return replace(spec, kind='path')
    if spec.name.startswith('file'):
        return replace(spec, kind='file', namespace=overlay.FILES.get(path, 'meshdir'))
    if spec.name in overlay.REFERENCES:
        return replace(spec, kind='reference', namespace=overlay.REFERENCES[spec.name])
    return spec


def namespace(path: str) -> str:
    """What `find` knows the element at a path by."""
    section, _, tag = path.partition('/')
    if path in overlay.OTHER_NAMESPACES:
        return overlay.OTHER_NAMESPACES[path]
    return overlay.NAMESPACES.get(section, tag) if tag.count('/') == 0 and tag else path.rpartition('/')[2]
