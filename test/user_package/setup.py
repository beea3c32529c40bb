from setuptools import setup

INDEX = 'share/ament_index/resource_index'

setup(
    name='swing_lab',
    version='0.1.0',
    license='Apache-2.0',
    packages=['swing_lab'],
    data_files=[
        (f'{INDEX}/packages', ['resource/swing_lab']),
        ('share/swing_lab', ['package.xml']),
    ],
    entry_points={'mujoco_ros_py.plugins': ['swing_lab/Swing = swing_lab.swing:Swing']},
)
