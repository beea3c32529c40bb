from __future__ import annotations

import pytest

from mujoco_ros_py.config import CameraConfig, read_cameras
from mujoco_ros_py.config.camera import nested
from mujoco_ros_py.errors import ConfigError


def refusal(structs: object) -> str:
    with pytest.raises(ConfigError) as caught:
        read_cameras(structs)
    return str(caught.value)


def test_a_camera_without_a_word_has_the_defaults_of_the_original():
    config = read_cameras({'wrist': {}})['wrist']
    assert (config.stream_type, config.frequency, config.width, config.height) == (1, 15, 0, 0)
    assert (config.name_rgb, config.name_depth, config.name_segment) == (
        'rgb',
        'depth',
        'segmented',
    )
    assert config == CameraConfig()


@pytest.mark.parametrize(
    ('struct', 'message'),
    [
        ({'frequency': -5}, 'cam_config.wrist.frequency must be greater than 0, got -5'),
        (
            {'stream_type': 8},
            'cam_config.wrist.stream_type must be at least 1 and at most 7, got 8',
        ),
        (
            {'stream_type': 0},
            'cam_config.wrist.stream_type must be at least 1 and at most 7, got 0',
        ),
        ({'width': -1}, 'cam_config.wrist.width must be at least 0 and at most 65536, got -1'),
        ({'baseline': -0.1}, 'cam_config.wrist.baseline must be at least 0, got -0.1'),
        ({'name_rgb': ''}, 'cam_config.wrist.name_rgb must not be empty'),
        ({'jpeg_quality': 101}, 'jpeg_quality must be at least 1 and at most 100, got 101'),
        (7, 'cam_config.wrist must be a struct, got 7'),
        ({'fps': 30}, "cam_config.wrist: unknown parameter 'fps'"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_camera_rule_and_value(struct, message):
    assert message in refusal({'wrist': struct})


def test_names_with_dots_lead_to_a_struct_for_each_camera():
    flat = {'wrist.width': 64, 'left.eye.width': 32, 'wrist.height': 48}
    assert nested(flat) == {'wrist': {'width': 64, 'height': 48}, 'left.eye': {'width': 32}}
