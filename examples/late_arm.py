# late_arm.py
import rclpy
from sensor_msgs.msg import JointState

KP, KD, TARGET = 200.0, 20.0, 0.3  # N m/rad, N m s/rad, rad

rclpy.init()
node = rclpy.create_node('shoulder_controller')
commands = node.create_publisher(JointState, '/robot_joint_commands', 10)
errors = {}


def answer(state):
    joint = state.name.index('joint1')
    error = TARGET - state.position[joint]
    effort = KP * error - KD * state.velocity[joint]
    commands.publish(JointState(header=state.header, name=['joint1'], effort=[effort]))
    errors[state.header.stamp.sec, state.header.stamp.nanosec] = abs(error)


node.create_subscription(JointState, '/joint_states', answer, 10)
while len(errors) < 2000:
    rclpy.spin_once(node)

times = sorted(errors)
early, late = (max(errors[time] for time in part) for part in (times[500:1000], times[1500:]))
print(f'largest error after 0.5 s: {early:.4f} rad, after 1.5 s: {late:.4f} rad')
