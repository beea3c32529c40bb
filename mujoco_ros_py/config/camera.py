"""The settings of each camera: `cam_config.<camera>.*`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ConfigError
from .parameter import Parameter, described
from .reader import check_ranges, read
from .wording import shown

KEY = 'cam_config'


@dataclass(frozen=True, kw_only=True, slots=True)
class CameraConfig:
    """The settings of one camera. Raises ConfigError for a value out of range."""

    stream_type: int = described(
        Parameter(
            default=1,
            description='Streams to publish, as a sum: 1 colour, 2 depth, 4 segmentation.',
            when='reload',
            minimum=1,
            maximum=7,
        )
    )
    frequency: float = described(
        Parameter(
            default=15.0,
            description='Maximum image rate, in simulated time.',
            when='reload',
            unit='Hz',
            above=0,
        )
    )
    width: int = described(
        Parameter(
            default=0,
            description="Image width; 0 uses the camera's `resolution` in the model, or 720 if "
            'the model does not set it.',
            when='reload',
            unit='pixels',
            minimum=0,
            maximum=65536,
        )
    )
    height: int = described(
        Parameter(
            default=0,
            description="Image height; 0 uses the camera's `resolution` in the model, or 480 if "
            'the model does not set it.',
            when='reload',
            unit='pixels',
            minimum=0,
            maximum=65536,
        )
    )
    baseline: float = described(
        Parameter(
            default=0.0,
            description='Distance to the left camera, for the right camera of a stereo pair; sets '
            'P[3] of `camera_info` to -fx * baseline. 0 for no stereo.',
            when='reload',
            unit='m',
            minimum=0,
        )
    )
    topic: str = described(
        Parameter(
            default='',
            description='Namespace of the topics; cameras/<camera> if empty.',
            when='reload',
        )
    )
    name_rgb: str = described(
        Parameter(default='rgb', description='Topic of the colour images.', when='reload')
    )
    name_depth: str = described(
        Parameter(default='depth', description='Topic of the depth images.', when='reload')
    )
    name_segment: str = described(
        Parameter(
            default='segmented', description='Topic of the segmentation images.', when='reload'
        )
    )
    use_segid: bool = described(
        Parameter(
            default=False,
            description='Encode labels as colours in segmentation images (r + 256 g + 65536 b) '
            'instead of using a palette.',
            when='reload',
        )
    )
    compressed: bool = described(
        Parameter(
            default=False,
            description='Also offer compressed colour (JPEG) and segmentation (PNG) images.',
            when='reload',
        )
    )
    jpeg_quality: int = described(
        Parameter(
            default=95,
            description='JPEG quality of compressed colour images.',
            when='reload',
            minimum=1,
            maximum=100,
        )
    )

    def __post_init__(self) -> None:
        check_ranges(self)
        for name in ('name_rgb', 'name_depth', 'name_segment'):
            if not getattr(self, name):
                raise ConfigError(f'{name} must not be empty')


def read_cameras(structs: Mapping[str, object], where: str = KEY) -> dict[str, CameraConfig]:
    """Returns the configuration of each camera in `structs`, by name.

    Raises ConfigError for the first invalid camera.
    """
    cameras = {}
    for camera, struct in structs.items():
        if not isinstance(struct, Mapping):
            raise ConfigError(f'{where}.{camera} must be a struct, got {shown(struct)}')
        cameras[camera] = read(CameraConfig, struct, where=f'{where}.{camera}')
    return cameras


def nested(parameters: Mapping[str, object]) -> dict[str, dict[str, Any]]:
    """Groups keys such as ``wrist.width`` into a struct per camera; camera names can have dots."""
    structs: dict[str, dict[str, Any]] = {}
    for name, value in parameters.items():
        camera, _, key = name.rpartition('.')
        structs.setdefault(camera, {})[key] = value
    return structs
