"""The constants shared by PyMJCF's modules."""

from ..write.form import SEPARATOR

PREFIX_SEPARATOR = SEPARATOR
PREFIX_SEPARATOR_ESCAPE = '\\'
NAMESPACE_SEPARATOR = '@'

BASEPATH = 'basepath'
CHILDCLASS = 'childclass'
CLASS = 'class'
DEFAULT = 'default'
DCLASS = 'dclass'

ACTUATOR = 'actuator'
BODY = 'body'
MESH = 'mesh'
SITE = 'site'
SKIN = 'skin'
TENDON = 'tendon'
WORLDBODY = 'worldbody'

MESHDIR_NAMESPACE = 'mesh'
TEXTUREDIR_NAMESPACE = 'texture'
ASSETDIR_NAMESPACE = 'asset'

MJDATA_TRIGGERS_DIRTY = ['qpos', 'qvel', 'act', 'ctrl', 'qfrc_applied', 'xfrc_applied']
"""The arrays of mjData whose writes outdate the derived values in PyMJCF. In this package, writes
to other arrays outdate them too."""

MAX_VFS_FILENAME_LENGTH = 998
XML_DEFAULT_PRECISION = 17
