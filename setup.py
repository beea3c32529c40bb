import os
import re
from glob import glob

from setuptools import find_packages, setup

NAME = 'mujoco_ros_py'
SHARE = f'share/{NAME}'

# The package relies on what lies inside these, so the oldest and the newest versions that were
# tried are bounds; docs/development/internals.md says what to do when a newer one comes out.
TRIED = ['llvmlite>=0.45,<0.51', 'mujoco>=3.17,<4.1', 'numba>=0.62,<0.69']

# The ROS distributions that come as wheels, and the newest rclpy of each that was tried. They are
# extras, so that nothing lands over a ROS installation; the first is the default.
DISTRIBUTIONS = {'jazzy': 'rclpy[fastrtps]<7.2', 'kilted': 'rclpy[fastrtps]<9.2'}
MESSAGES = [
    'builtin-interfaces',
    'diagnostic-msgs',
    'geometry-msgs',
    'nav-msgs',
    'rcl-interfaces',
    'rosgraph-msgs',
    'rosidl-parser',
    'sensor-msgs',
    'std-msgs',
    'std-srvs',
    'trajectory-msgs',
    'visualization-msgs',
]
# What searches the patterns by which services filter entities
FILTER = ['google-re2>=1.1']
ROS = {
    f'ros-{name}': [*FILTER, *(f'ros-{name}-{package}' for package in (rclpy, *MESSAGES))]
    for name, rclpy in DISTRIBUTIONS.items()
}

# The sources of the messages that PyPI lacks with what builds them, the examples, and the pages of
# the documentation, which `mujoco_ros_py docs` prints
FOLDERS = [
    (f'{SHARE}/{folder}', [os.path.join(folder, file) for file in sorted(files)])
    for top in ('docs', 'examples', 'interfaces')
    for folder, _, files in os.walk(top)
    if files and not re.search(r'/(__pycache__|build|pictures|[^/]*[.]egg-info)(/|$)', folder)
]


def read(name):
    """Return the text of a file beside this one, to which colcon may link."""
    folder = os.path.dirname(os.path.realpath(__file__))
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return file.read()


# package.xml has the addresses of the project, once there are any.
MANIFEST = read('package.xml')
ADDRESSES = dict(re.findall(r'<url type="(\w+)">(.+?)</url>', MANIFEST))

# What builds the site of the documentation and makes its pictures
DOCS = ['furo', 'matplotlib', 'myst-parser>=4', 'sphinx>=7.3', 'sphinx-llms-txt']

# The server of the page that shows a simulation
VIEWER = ['websockets>=14']

# What writes and reads recordings, and makes films of them
RECORDING = ['av>=12', 'lz4>=4', 'mcap>=1.3', 'zstandard>=0.21']

# What reads GLB meshes of robots
GLB = ['trimesh>=4.6']

# What makes sweeps on workers of Ray, and writes their results
SWEEP = [*RECORDING, 'plotly>=6', 'pyarrow>=17', 'ray>=2.40', 'rich>=13']

# What fits models to recordings of robots
IDENTIFY = [*RECORDING, 'mujoco[sysid]', 'plotly>=6', 'scipy>=1.11']

# What `make bench` compares with, and what its rows measure
BENCH = [*VIEWER, *SWEEP, *IDENTIFY, 'dm_control', 'playwright']

TEST = [
    *DOCS,
    *VIEWER,
    *SWEEP,
    *IDENTIFY,
    *FILTER,
    *GLB,
    'codespell',
    'colcon-common-extensions',
    'example-robot-data>=6,<7',  # robots whose URDF is read, and
    'hypothesis',
    'import-linter',
    'mypy',
    'numpy<2.5',  # whose annotations mypy 2.4 cannot read: it finds no overload of ndarray.max()
    'pin>=3,<5',  # pinocchio, whose kinematics theirs are compared with
    'playwright',  # drives the Chromium of the system, where there is one
    'pytest>=9',  # has `faulthandler_exit_on_timeout`
    'pytest-xdist',
    'python-xlib>=0.33',  # presses keys and moves the mouse, where there is Xvfb
    'rosbags>=0.11',  # reads recordings as any ROS bag
    'ruff',
    'setuptools>=70.1',  # builds wheels by itself; the packaging tests build without isolation
    'types-PyYAML',
]

# What changes the code for `make test-nightly`, which counts the changes that no test notices
MUTANTS = ['cosmic-ray>=8']


def page_on_pypi():
    """Return the README, with links to the files of this version in the repository.

    While package.xml has no repository, links are plain text and pictures are left out.
    """

    def link(found):
        picture, text, target = found.groups()
        if 'repository' not in ADDRESSES:
            return '' if picture else text
        version = re.search('<version>(.+)</version>', MANIFEST)[1]
        file = target if target[0] != '#' else f'README.md{target}'
        kind = 'raw' if picture else 'blob'
        return f'{picture}[{text}]({ADDRESSES["repository"]}/{kind}/{version}/{file})'

    parts = re.split(r'(^```.*?^```$)', read('README.md'), flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(r'(!?)\[([^]]*)\]\((?!\w+:)(.+?)\)', link, part) for part in parts[::2]]
    return ''.join(parts)


setup(
    name=NAME,
    version='1.0.0',
    description='A ROS 2 simulation server for MuJoCo with Python plugins at C speed',
    long_description=page_on_pypi(),
    long_description_content_type='text/markdown',
    keywords='mujoco robotics ros ros2 simulation simulator',
    classifiers=[
        'Framework :: Pytest',
        'Intended Audience :: Developers',
        'Intended Audience :: Science/Research',
        'Operating System :: POSIX :: Linux',
        *(f'Programming Language :: Python :: 3.{minor}' for minor in range(10, 15)),
        'Topic :: Scientific/Engineering :: Physics',
        'Typing :: Typed',
    ],
    project_urls={kind.capitalize(): address for kind, address in ADDRESSES.items()},
    license='Apache-2.0',
    maintainer='mujoco_ros_py maintainers',
    maintainer_email='maintainers@example.org',
    python_requires='>=3.10',
    install_requires=[*TRIED, 'click>=8.1', 'glfw', 'lxml', 'numpy', 'pillow', 'pyyaml'],
    extras_require={
        'ros': next(iter(ROS.values())),
        **ROS,
        'test': TEST,
        'mutants': MUTANTS,
        'docs': DOCS,
        'bench': BENCH,
        'viewer': VIEWER,
        'recording': RECORDING,
        'sweep': SWEEP,
        'identify': IDENTIFY,
        'filter': FILTER,
        'glb': GLB,
    },
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={
        NAME: [
            'py.typed',
            'builtin/plugins.xml',
            'engine/messages/definitions.txt',
            'mjcf/tree/*.pyi',
            'mjcf/*.pyi',
            'mjcf/schema/tables/*.txt',
            'ros/fastdds.xml',
        ]
    },
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (SHARE, ['AGENTS.md', 'README.md', 'package.xml']),
        (f'{SHARE}/config', sorted(glob('config/*.*'))),
        (f'{SHARE}/launch', sorted(glob('launch/*.launch.py'))),
        *FOLDERS,
        # Where `ros2 run` looks. Entry points would land in bin/ when pip installs, and `server`
        # is no name to put on anybody's PATH.
        (
            f'lib/{NAME}',
            sorted(path for path in glob('scripts/*') if os.path.isfile(path)),
        ),
        (f'lib/{NAME}/quadruped', sorted(glob('scripts/quadruped/*.py'))),
        (f'lib/{NAME}/wall_following', sorted(glob('scripts/wall_following/*.py'))),
    ],
    entry_points={
        'console_scripts': [f'{NAME} = {NAME}.__main__:main'],
        # Named as the module, so that a suite may name it too, and pytest loads it once.
        'pytest11': ['mujoco_ros_py.testing = mujoco_ros_py.testing'],
    },
)
