from setuptools import setup

setup(
    name='my_robot',
    version='0.1.0',
    license='Apache-2.0',
    packages=['my_robot'],
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/my_robot']),
        ('share/my_robot', ['package.xml', 'plugins.yaml', 'robot.xml']),
        ('share/my_robot/launch', ['launch/robot.launch.py']),
    ],
    entry_points={'mujoco_ros_py.plugins': ['my_robot/Wind = my_robot.wind:Wind']},
)
