"""The files with the result of an identification."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from math import inf, nan

import pytest
import yaml

from mujoco_ros_py.identification.outputs import write_outputs
from mujoco_ros_py.identification.outputs.report import report_text
from mujoco_ros_py.session import Session

from .fitted import delay, fitted, judged, parameter, unclear

ARM = """
<mujoco>
  <worldbody><body name="arm"><joint name="elbow" damping="1"/><geom size=".1"/></body></worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator>
</mujoco>
"""


@pytest.fixture
def twin(tmp_path):
    """Returns the folder with the outputs of a result with everything."""
    pytest.importorskip('plotly')
    (tmp_path / 'arm.xml').write_text(ARM)
    (tmp_path / 'run1.mcap').write_bytes(b'bag')
    write_outputs(
        tmp_path / 'twin', tmp_path / 'arm.xml', unclear(), files=[tmp_path / 'run1.mcap']
    )
    return tmp_path / 'twin'


def test_the_result_is_complete_and_valid_json(twin):
    struct = json.loads((twin / 'result.json').read_text(), parse_constant=pytest.fail)
    assert struct['format'] == 1
    assert set(struct['versions']) == {'mujoco_ros_py', 'mujoco'}
    assert [each['name'].rpartition('/')[2] for each in struct['files']] == [
        'arm.xml',
        'run1.mcap',
    ]
    assert struct['files'][1]['sha256'] == hashlib.sha256(b'bag').hexdigest()
    first, second, third, _ = struct['parameters']
    assert first['interval'] == pytest.approx([2.29567, 2.39567])
    assert second['interval'] == [None, None]
    assert third['imperfections'] == [{'effect': 'latency', 'of': '/arm/commands'}]
    assert struct['correlation'][0][1] == 0.9
    assert struct['noise'] == [
        {'quantity': 'position', 'name': 'elbow', 'component': 0, 'std': 0.01}
    ]
    assert struct['edits'] == {'elbow.damping[0]': 2.34567}
    held_out = struct['sequences'][1]
    assert held_out['held_out']
    assert held_out['signals'][0]['rms_after'] == pytest.approx(0.01, rel=0.2)
    assert 'times' not in json.dumps(struct)


def test_fitted_delays_and_offsets_are_a_plugin_that_loads(twin):
    plugins = yaml.safe_load((twin / 'imperfections.yaml').read_text())
    assert plugins[0]['timeline'] == {
        'delay_of_commands': {'of': '/arm/commands', 'latency': 0.0041},
        'offset_of_elbow': {'of': {'joint': 'elbow'}, 'offset': -0.02},
    }
    entry = {key: plugins[0]['timeline'][key] for key in ('offset_of_elbow',)}
    plugins[0]['timeline'] = entry
    with Session(mujoco_xml=ARM, plugins=plugins, strict=True) as session:
        session.step(3)


def test_without_delays_there_are_no_imperfections(tmp_path):
    pytest.importorskip('plotly')
    (tmp_path / 'arm.xml').write_text(ARM)
    early = delay('early', -0.001, 'latency', '/arm/commands')
    for result in (fitted([parameter('elbow.damping', 2.0)]), fitted([early], {})):
        write_outputs(tmp_path / 'twin', tmp_path / 'arm.xml', result, force=True)
        assert not (tmp_path / 'twin/imperfections.yaml').exists()


def test_the_report_shows_everything_escaped_and_needs_no_network(twin):
    text = (twin / 'report.html').read_text()
    assert '<title>Identification of arm.xml from run1.mcap</title>' in text
    assert 'Over 1 held-out sequence, the error falls from <b>12</b> to <b>1.3</b>.' in text
    assert 'The data determine 3 of 4 parameters; 1 at a bound.' in text
    assert 'elbow.&lt;b&gt;friction is at its lower bound' in text
    assert 'elbow.damping +1, elbow.&lt;b&gt;friction -0.4' in text
    assert 'Move the elbow slowly and fast.' in text
    assert '2.3457' in text
    assert 'not determined' in text
    assert 'elbow.<b>' not in text
    assert 'src="http' not in text
    assert text.count('plotly.js v') == 1


def test_the_report_tells_a_worse_fit_and_missing_held_out_sequences():
    pytest.importorskip('plotly')
    worse = replace(
        fitted([parameter('elbow.damping', nan, inf)]),
        sequences=(judged('run', error_before=1.0, error_after=2.0),),
    )
    text = report_text(worse, 'arm.xml')
    assert 'the error rises from <b>1</b> to <b>2</b>' in text
    assert 'No sequence was held out' in text
    assert '<b class="worse">2</b>' in text


def test_a_report_without_parameters_or_with_many_signals_is_written():
    pytest.importorskip('plotly')
    empty = fitted([], {}, sequences=())
    assert 'The data determine 0 of 0 parameters' in report_text(empty, 'arm.xml')
    many = fitted([], {}, sequences=tuple(judged(f'run {n}') for n in range(70)))
    text = report_text(many, 'arm.xml')
    assert '60 of 70 signals are shown.' in text
    assert text.count('plotly.js v') == 1
