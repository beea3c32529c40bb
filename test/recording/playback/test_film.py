"""A film shows the states of a recording at their times."""

import pytest

from mujoco_ros_py.command_line import run as run_command
from mujoco_ros_py.session import Session

pytest.importorskip('mcap', reason='the extra `recording` is not installed')
av = pytest.importorskip('av', reason='the extra `recording` is not installed')
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]

SLIDING = """
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
  <worldbody>
    <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>
    <body pos="-1 0 0">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.1 0.1 0.1" rgba="1 1 1 1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """A box that moves from left to right within two seconds."""
    path = tmp_path_factory.mktemp('film') / 'run.mcap'
    recorder = {'type': 'mujoco_ros_py/Recorder', 'file': str(path)}
    with Session(mujoco_xml=SLIDING, plugins=[recorder], velocities={'slide': 1.0}) as session:
        session.step(200)
    return path


def rendered(recording, path, *more):
    arguments = ['render', str(recording), '-o', str(path), '--plain', *more]
    return run_command([*arguments, '--width', '160', '--height', '120'])


def columns(path):
    """The position of the box in each image, in pixels from the left."""
    with av.open(str(path)) as film:
        images = [image.to_ndarray(format='gray') for image in film.decode(video=0)]
    assert {image.shape for image in images} == {(120, 160)}
    return [image.max(axis=0).argmax() + (image.max(axis=0) > 128).sum() / 2 for image in images]


def test_a_film_shows_each_moment_at_its_time(recording, tmp_path, capsys):
    film = tmp_path / 'film.mp4'
    assert rendered(recording, film, '--camera', 'front', '--fps', '10') == 0
    assert capsys.readouterr().out == f'{film}: 21 images, 2.1 s\n'
    places = columns(film)
    assert places == sorted(places)
    assert places[10] == pytest.approx(80, abs=2), 'after a second the box is in the middle'
    assert list(tmp_path.iterdir()) == [film]
    assert rendered(recording, film) == 2, 'it is not written over'
    slow = ['--force', '--start', '1', '--end', '1.5', '--rate', '0.5', '--fps', '20']
    assert rendered(recording, film, *slow) == 0
    assert len(columns(film)) == 21


def test_what_cannot_be_shown_is_told(recording, tmp_path, capsys):
    film = tmp_path / 'film.mp4'
    assert rendered(recording, film, '--camera', 'rear') == 2
    assert "unknown camera 'rear'; known: front" in capsys.readouterr().err
    assert rendered(recording, film, '--start', '99') == 2
    assert 'has no states in the requested time range' in capsys.readouterr().err
    assert rendered(recording, tmp_path / 'film.txt') == 2
    assert 'must end with one of .mp4' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
