from setuptools import setup

INDEX = 'share/ament_index/resource_index'

setup(
    name='example_plugins',
    version='0.1.0',
    license='Apache-2.0',
    packages=['example_plugins'],
    data_files=[
        (f'{INDEX}/packages', ['resource/example_plugins']),
        (f'{INDEX}/mujoco_ros_py__pluginlib__plugin', ['resource/plugins/example_plugins']),
        ('share/example_plugins', ['package.xml', 'plugins.xml']),
    ],
    entry_points={
        'mujoco_ros_py.plugins': [
            'example_plugins/Damper = example_plugins.damper:Damper',
            'example_plugins/Depth = example_plugins.depth:Depth',
            'example_plugins/Height = example_plugins.height:Height',
            'example_plugins/Keeper = example_plugins.keeper:Keeper',
            'example_plugins/LightMeter = example_plugins.light_meter:LightMeter',
            'example_plugins/Pusher = example_plugins.pusher:Pusher',
            'example_plugins/Reach = example_plugins.reach:Reach',
            'example_plugins/Scan = example_plugins.scan:Scan',
            'example_plugins/Sensor = example_plugins.sensor:Sensor',
            'example_plugins/Spring = example_plugins.spring:Spring',
            'example_plugins/Swing = example_plugins.swing:Swing',
            'example_plugins/Torque = example_plugins.torque:Torque',
            'example_plugins/Trace = example_plugins.trace:Trace',
            'example_plugins/Velocity = example_plugins.velocity:Velocity',
        ],
    },
)
