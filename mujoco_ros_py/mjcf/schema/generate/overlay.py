"""Facts about MJCF missing from the printed schema and the reference, with their reasons."""

from collections.abc import Mapping

ON_DEMAND = {
    'body/inertial': 'an empty one would hide the inertia of the geoms',
    'body/freejoint': 'printed as repeated, but a body can have only one; it frees the body',
    'body/composite/skin': 'an empty one adds a skin',
}

ONE_NAMESPACE = ('actuator', 'contact', 'deformable', 'equality', 'sensor', 'tendon')
"""Sections whose tag is the namespace of all their children in `find`, as in PyMJCF. In other
sections the namespace is the element's tag."""

OTHER_NAMESPACES = {'body/freejoint': 'joint', 'extension/plugin/instance': 'plugin'}

UNIQUE = {
    'asset/skin': 'skin',
    'body/flexcomp': 'flex',
    'contact/exclude': 'exclude',
    'contact/pair': 'pair',
    'deformable/flex': 'flex',
    'deformable/skin': 'skin',
}
"""Scopes of unique names, for elements whose scope is not their namespace in `find`."""

REFERENCES = {
    'actuator': 'actuator',
    'body': 'body',
    'body1': 'body',
    'body2': 'body',
    'camera': 'camera',
    'childclass': 'default',
    'class': 'default',
    'cranksite': 'site',
    'flex': 'flex',
    'geom': 'geom',
    'geom1': 'geom',
    'geom2': 'geom',
    'hfield': 'hfield',
    'instance': 'plugin',
    'joint': 'joint',
    'joint1': 'joint',
    'joint2': 'joint',
    'jointinparent': 'joint',
    'material': 'material',
    'mesh': 'mesh',
    'model': 'model',
    'objname': 'attribute:objtype',
    'refname': 'attribute:reftype',
    'refsite': 'site',
    'sidesite': 'site',
    'site': 'site',
    'site1': 'site',
    'site2': 'site',
    'slidersite': 'site',
    'subtree1': 'body',
    'subtree2': 'body',
    'target': 'body',
    'tendon': 'tendon',
    'tendon1': 'tendon',
    'tendon2': 'tendon',
    'texture': 'texture',
}
"""Attributes that name elements but are described as strings in the reference."""

STRINGS = {
    'mujoco/model': 'the name of this model; no attribute refers to it',
    'attach/body': 'a name in the attached file',
    'attach/frame': 'a name in the attached file',
}
"""Attributes that are strings although their names suggest references, by parent tag and name."""

SEVERAL_REFERENCES = {'deformable/flex/body': 'body', 'deformable/flex/node': 'body'}

FILES = {'asset/texture': 'texturedir', 'asset/model': None}
"""The folder settings for elements whose files are not in meshdir; None is the model's folder."""

PATHS = ('assetdir', 'meshdir', 'texturedir')

SEVERAL_KEYWORDS = ('camera/output', 'contact/data', 'rangefinder/data')
"""Attributes that accept any number of their keywords, separated by spaces."""

DESCRIBED = {
    r'^asset/mesh/builtin$': (
        '[none, sphere, hemisphere, cone, supersphere, supertorus, wedge, plate], "none"'
    ),
    r'/pair/solreffriction$': 'real(2), "0 0"',
    r'/(o_)?solref(limit|friction|fix)?$': 'real(2), "0.02 1"',
    r'/(o_)?solimp(limit|friction|fix)?$': 'real(5), "0.9 0.95 0.001 0.5 2"',
    r'/o_friction$': 'real(5), "1 1 0.005 0.0001 0.0001"',
    r'^replicate/childclass$': 'string',
    r'/composite/type$': '[cable]',
    r'/composite/initial$': '[free, ball, none]',
    r'/composite/(prefix|curve)$': 'string',
    r'/composite/joint/kind$': '[main]',
    r'/composite/skin/texcoord$': '[false, true], "false"',
    r'/composite/skin/subgrid$': 'int, "0"',
}
"""Descriptions of attributes that are not in the reference's usual form.

The keys are patterns of path and name; the first match counts. The reference describes some of
these attributes in prose and omits others, and the wheel of MuJoCo 3 contains no reference."""

EXTRA_WORDS = {
    'body/flexcomp/type': ('square',),
    'body/site/type': ('sdf',),
    'default/site/type': ('sdf',),
    'deformable/flex/dof': ('full', 'radial', '2d'),
    'visual/headlight/active': ('0', '1'),
}
"""Keywords that the compiler accepts but the reference does not list."""

REQUIRED = ('default/default/class', 'extension/plugin/instance/name')
"""Required attributes that probing does not find, because MuJoCo checks them only after parsing.
The outermost default needs no class."""

IDENTIFIERS = ('default/class', 'default/default/class', 'body/composite/prefix')
"""Attributes that name their element but are not called `name`."""

ALIKE = {
    'asset/skin': ('deformable/skin',),
    'body/composite/geom': ('body/geom',),
    'body/composite/joint': ('body/joint',),
    'body/composite/plugin': ('asset/mesh/plugin',),
    'body/composite/site': ('body/site',),
    'body/composite/skin': ('deformable/skin',),
    'body/flexcomp': ('deformable/flex',),
    'body/flexcomp/contact': ('deformable/flex/contact', 'body/geom'),
    'body/flexcomp/edge': ('deformable/flex/edge',),
    'body/flexcomp/elasticity': ('deformable/flex/elasticity',),
    'body/frame': ('body',),
    'deformable/flex/contact': ('body/geom',),
    'default/equality': ('equality/connect',),
    'default/pair': ('contact/pair',),
    'default/tendon': ('tendon/spatial',),
    'sensor/plugin': ('sensor/user', 'sensor/framepos'),
    'tendon/fixed': ('tendon/spatial',),
}
"""For each element (the key), other elements whose attribute descriptions also apply to it."""

ALIKE_BELOW = {
    'actuator': ('actuator/general',),
    'equality': ('equality/connect', 'equality/flex'),
}
"""For each section (the key), elements whose attribute descriptions apply to all its elements."""

FRAME = ('name', 'childclass', 'pos', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler')
"""The attributes of frame, which are in the reference but not in the printed schema."""
FRAME_SCALE = ('scale', 'scaling', 'massscale')
REPLICATE = ('count', 'sep', 'offset', 'euler', 'childclass')
"""The attributes of replicate. The parser accepts childclass, which is not in the reference."""

PROBE: Mapping[str, str] = {
    'bindpos': '0 0 0',
    'bindquat': '1 0 0 0',
    'count': '1',
    'element': '0 1 2',
    'kind': 'main',
    'mass': '1',
    'objtype': 'body',
    'pos': '0 0 0',
    'role': 'rgb',
    'size': '1 1 1 1',
    'type': 'cable',
    'vertid': '0',
    'vertweight': '1',
}
"""Values for required attributes that do not accept arbitrary words."""

PROBE_ALONG: Mapping[str, Mapping[str, str]] = {
    'equality/connect': {'body1': 'x', 'anchor': '0 0 0'},
    'equality/weld': {'body1': 'x'},
    'sensor/distance': {'geom1': 'x', 'geom2': 'x'},
    'sensor/fromto': {'geom1': 'x', 'geom2': 'x'},
    'sensor/normal': {'geom1': 'x', 'geom2': 'x'},
    'sensor/rangefinder': {'site': 'x'},
}
"""Attributes that the parser must see before it checks any other attribute of the element. If
several combinations are possible, only one is listed."""
