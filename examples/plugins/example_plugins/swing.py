import math
from dataclasses import dataclass

from mujoco_ros_py.builtin.controllers import DriveConfig, JointDrive, JointPlugin, drive_joints
from mujoco_ros_py.plugins import compiled, ranged


@dataclass(frozen=True, kw_only=True)
class Config(DriveConfig):
    """The configuration of the swing."""

    joints: tuple[str, ...]
    """Joints to swing."""
    amplitude: float = ranged(0.3, minimum=0.0, unit='rad or m')
    """Amplitude of the sine wave around 0."""


class Swing(JointPlugin[Config]):
    """Swings joints in a sine wave, with any type of actuator."""

    def load(self, model, data):
        self.drive = JointDrive(self, model, data, self.config.joints, 'position')
        self.state = self.drive.new_state(amplitude=self.config.amplitude)

    def adapt(self, model, data):
        self.drive.adapt(model, data)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        for k in range(len(state.position_command)):
            state.position_command[k] = state.amplitude * math.sin(2.0 * data.time)
            state.velocity_command[k] = 2.0 * state.amplitude * math.cos(2.0 * data.time)
        drive_joints(state, model, data)
