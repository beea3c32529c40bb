"""Robots of public packages: masses and limits of the URDF, and the kinematics of pinocchio."""

from __future__ import annotations

import functools
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.urdf import read_urdf_file, to_urdf

pytestmark = pytest.mark.slow
CONFIGURATIONS = 10
PREFIX = 'cmeel.prefix'
FAULTY = {
    'alex_psyonic_hands.urdf': "mimic: unknown joint 'index_q1'",
    'ur3.urdf': 'must have at least one element <link>',
}
"""The robots that cannot be read, each with a part of the error."""
CORRECTED = 'masses and inertias too small', 'moments of inertia that no body can have'


def _folder() -> Path | None:
    try:
        found = metadata.distribution('example-robot-data')
    except metadata.PackageNotFoundError:
        return None
    return Path(str(found.locate_file(f'{PREFIX}/share/example-robot-data/robots')))


FOLDER = _folder()
ROBOTS = sorted(FOLDER.rglob('*.urdf')) if FOLDER is not None else []
READABLE = [path for path in ROBOTS if path.name not in FAULTY]
FEW = {
    'alex_nub_hands.urdf', 'double_pendulum_continuous.urdf', 'human.urdf', 'panda.urdf',
    'quadrotor_base.urdf', 'simple_humanoid.urdf', 'ur5_gripper.urdf',
}  # fmt: skip
CHOSEN = [
    path if path.name in FEW else pytest.param(path, marks=pytest.mark.nightly)
    for path in READABLE
]
"""An arm, a hand, a humanoid, continuous joints and a fixed object; all robots run nightly."""


def _pinocchio():
    reason = 'pinocchio is not installed: the extra `test` installs pin, where it has a wheel'
    return pytest.importorskip('pinocchio', reason=reason, exc_type=ImportError)


def _name(path: Path) -> str:
    return str(path.relative_to(FOLDER)) if FOLDER is not None else path.name


@functools.cache
def _compiled(path: Path):
    made = read_urdf_file(path)
    return made.left_out, mujoco.MjModel.from_xml_string(
        made.model.to_xml_string(), made.model.get_assets()
    )


@pytest.fixture(autouse=True)
def package(monkeypatch):
    """Makes the package findable by `package://`."""
    if FOLDER is not None:
        monkeypatch.setenv('AMENT_PREFIX_PATH', str(FOLDER.parents[2]))


def ours(name: str) -> str:
    return name.replace('/', '_')


def test_the_robots_are_many():
    if FOLDER is None:
        pytest.skip('example-robot-data is not installed: the extra `test` installs it')
    assert len(READABLE) >= 20


@pytest.mark.parametrize('path', CHOSEN, ids=_name)
def test_links_have_the_masses_and_joints_the_limits_of_the_urdf(path):
    left_out, model = _compiled(path)
    root = ElementTree.parse(path).getroot()
    corrected = any(text.startswith(CORRECTED[0]) for text in left_out)
    links = {each.get('name'): each for each in root.findall('link')}
    bodies = {model.body(k).name for k in range(model.nbody)}
    assert bodies - {'world'} == {ours(name) for name in links} - {'world'}
    for name, link in links.items():
        mass = link.find('inertial/mass')
        wanted = 0.0 if mass is None or name == 'world' else float(mass.get('value'))
        found = model.body(ours(name)).mass[0]
        assert found == wanted or (corrected and wanted < found <= 1e-6), name
    for joint in root.findall('joint'):
        if joint.get('type') not in ('revolute', 'prismatic'):
            continue
        limit = joint.find('limit')
        lower, upper = (float(limit.get(key, 0)) for key in ('lower', 'upper'))
        found = model.joint(ours(joint.get('name')))
        if lower < upper:
            assert list(found.range) == [lower, upper], joint.get('name')
        effort = float(limit.get('effort', 0))
        if effort > 0:
            assert list(model.jnt_actfrcrange[found.id]) == [-effort, effort], joint.get('name')


class Pair:
    """A robot for pinocchio and for MuJoCo, in the same configuration."""

    def __init__(self, pin, theirs, path: Path) -> None:
        self.pin = pin
        self.theirs = theirs
        self.their_data = self.theirs.createData()
        _, self.ours = _compiled(path)
        self.our_data = mujoco.MjData(self.ours)
        self.joints = {
            number: self.ours.joint(ours(name)).id
            for number, name in enumerate(self.theirs.names)
            if number
        }

    def move(self, random: np.random.Generator) -> None:
        """Sets all joints at random."""
        q = self.pin.neutral(self.theirs)
        for number, own in self.joints.items():
            joint = self.theirs.joints[number]
            assert joint.nv == 1
            value = random.uniform(-3, 3)
            self.our_data.qpos[self.ours.jnt_qposadr[own]] = value
            both = [np.cos(value), np.sin(value)] if joint.nq == 2 else [value]
            q[joint.idx_q : joint.idx_q + joint.nq] = both
        self.pin.framesForwardKinematics(self.theirs, self.their_data, q)
        self.pin.crba(self.theirs, self.their_data, q)
        mujoco.mj_forward(self.ours, self.our_data)

    def frames(self):
        """Yields the name of each link, with both of its poses."""
        for number, frame in enumerate(self.theirs.frames):
            if frame.type == self.pin.FrameType.BODY and number:
                pose = self.their_data.oMf[number]
                body = self.our_data.body(ours(frame.name))
                yield frame.name, (pose.translation, body.xpos), (pose.rotation, body.xmat)

    def compare_frames(self, most: float) -> None:
        """Compares the poses of all links; differences are in m and in cosines."""
        for name, (theirs, found), (rotation, turned) in self.frames():
            np.testing.assert_allclose(found, theirs, atol=most, err_msg=name)
            np.testing.assert_allclose(turned.reshape(3, 3), rotation, atol=most, err_msg=name)

    def inertia(self):
        """Returns the joint-space inertia matrices of both models, in the order of MuJoCo."""
        full = np.zeros((self.ours.nv, self.ours.nv))
        for column, unit in zip(full, np.eye(self.ours.nv), strict=True):
            mujoco.mj_mulM(self.ours, self.our_data, column, unit)
        upper = np.triu(self.their_data.M)
        order = [
            self.theirs.joints[number].idx_v
            for number, _ in sorted(
                self.joints.items(), key=lambda pair: self.ours.jnt_dofadr[pair[1]]
            )
        ]
        theirs = upper + np.triu(upper, 1).T
        return theirs[np.ix_(order, order)], full


@pytest.mark.parametrize('path', CHOSEN, ids=_name)
def test_links_are_where_pinocchio_has_them(path):
    pin = _pinocchio()
    pair = Pair(pin, pin.buildModelFromUrdf(str(path)), path)
    random = np.random.default_rng(1)
    left_out, _ = _compiled(path)
    is_corrected = any(text.startswith(CORRECTED) for text in left_out)
    for _ in range(CONFIGURATIONS):
        pair.move(random)
        pair.compare_frames(1e-9)
        if pair.ours.nv and not is_corrected:
            theirs, found = pair.inertia()
            np.testing.assert_allclose(found, theirs, atol=1e-9 * np.abs(theirs).max() + 1e-12)


@pytest.mark.parametrize('path', CHOSEN, ids=_name)
def test_pinocchio_reads_what_is_written_of_the_model(path):
    pin = _pinocchio()
    pair = Pair(pin, pin.buildModelFromXML(to_urdf(_compiled(path)[1])), path)
    random = np.random.default_rng(2)
    for _ in range(10):
        pair.move(random)
        pair.compare_frames(1e-7)


@pytest.mark.parametrize('path', [each for each in ROBOTS if each.name in FAULTY], ids=_name)
def test_faulty_robots_are_refused(path):
    with pytest.raises(ValueError, match=FAULTY[path.name]):
        read_urdf_file(path)
