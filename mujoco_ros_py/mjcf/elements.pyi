"""The classes of MJCF elements in MuJoCo 4.0.0, written by `generate`; do not edit it."""

# mypy: disable-error-code="assignment, misc, override, overload-overlap"
# An Element allows checkers any attribute; its subclasses allow only their own.

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict, overload

from typing_extensions import Never, Unpack

from .compose.attachment import AttachmentFrame as AttachmentFrame
from .compose.attachment_points import Attachable, AttachList
from .compose.root import RootElement
from .files.assets import Asset as _File
from .tree.element import Element
from .tree.typed import (
    Attribute,
    Child,
    Children,
    FloatLike,
    Floats,
    FloatsLike,
    IntLike,
    Ints,
    IntsLike,
    Required,
)

Mujoco: TypeAlias = RootElement

AnyActuator: TypeAlias = (
    General
    | Motor
    | Position
    | Velocity
    | Intvelocity
    | Orientation
    | Pid
    | Damper
    | Cylinder
    | Muscle
    | Adhesion
    | Dcmotor
    | ActuatorPlugin
)
AnyBody: TypeAlias = Body | Worldbody | AttachmentFrame
AnyContact: TypeAlias = Pair | Exclude
AnyDefault: TypeAlias = Default | DefaultDefault
AnyDeformable: TypeAlias = Flex | DeformableSkin
AnyEquality: TypeAlias = (
    Connect | Weld | EqualityJoint | EqualityTendon | EqualityFlex | Flexstrain
)
AnyFlex: TypeAlias = Flexcomp | Flex
AnyJoint: TypeAlias = Joint | Freejoint
AnySensor: TypeAlias = (
    Touch
    | Accelerometer
    | Velocimeter
    | Gyro
    | Force
    | Torque
    | Magnetometer
    | Camprojection
    | Rangefinder
    | Jointpos
    | Jointvel
    | Tendonpos
    | Tendonvel
    | Actuatorpos
    | Actuatorvel
    | Actuatorfrc
    | Jointactuatorfrc
    | Tendonactuatorfrc
    | Ballquat
    | Ballangvel
    | Jointlimitpos
    | Jointlimitvel
    | Jointlimitfrc
    | Tendonlimitpos
    | Tendonlimitvel
    | Tendonlimitfrc
    | Framepos
    | Framequat
    | Framexaxis
    | Frameyaxis
    | Framezaxis
    | Framelinvel
    | Frameangvel
    | Framelinacc
    | Frameangacc
    | Subtreecom
    | Subtreelinvel
    | Subtreeangmom
    | Insidesite
    | Distance
    | Normal
    | Fromto
    | SensorContact
    | EPotential
    | EKinetic
    | Clock
    | Tactile
    | User
    | SensorPlugin
)
AnyTendon: TypeAlias = Spatial | Fixed

_2dCubeSkybox: TypeAlias = Literal['2d', 'cube', 'skybox']
_AutoLinearSRGB: TypeAlias = Literal['auto', 'linear', 'sRGB']
_BodySleep: TypeAlias = Literal['auto', 'never', 'allowed', 'init']
_CameraMode: TypeAlias = Literal['fixed', 'track', 'trackcom', 'targetbody', 'targetbodycom']
_CameraOutput: TypeAlias = Literal['rgb', 'depth', 'distance', 'normal', 'segmentation']
_CircleBox: TypeAlias = Literal['circle', 'box']
_DenseSparseAuto: TypeAlias = Literal['dense', 'sparse', 'auto']
_DisableEnable: TypeAlias = Literal['disable', 'enable']
_ElasticityElastic2d: TypeAlias = Literal['none', 'bend', 'stretch', 'both']
_ExpmapQuat: TypeAlias = Literal['expmap', 'quat']
_FalseAuto: TypeAlias = Literal['false', 'auto']
_FalseTrue: TypeAlias = Literal['false', 'true']
_FalseTrueAuto: TypeAlias = Literal['false', 'true', 'auto']
_FalseTrueStrain: TypeAlias = Literal['false', 'true', 'strain']
_FlexDof: TypeAlias = Literal['trilinear', 'quadratic', 'full', 'radial', '2d']
_FlexcompContactSelfcollide: TypeAlias = Literal['none', 'narrow', 'bvh', 'sap', 'auto']
_FlexcompDof: TypeAlias = Literal['full', 'radial', 'trilinear', 'quadratic', '2d']
_FlexcompType: TypeAlias = Literal[
    'grid', 'box', 'cylinder', 'ellipsoid', 'disc', 'circle', 'mesh', 'gmsh', 'direct', 'square'
]
_FrameposObjtype: TypeAlias = Literal['body', 'xbody', 'geom', 'site', 'camera']
_GeneralBiastype: TypeAlias = Literal['none', 'affine', 'muscle', 'dcmotor', 'so3', 'user']
_GeneralDyntype: TypeAlias = Literal[
    'none', 'integrator', 'filter', 'filterexact', 'pid', 'dcmotor', 'muscle', 'user'
]
_GeneralGaintype: TypeAlias = Literal['fixed', 'affine', 'muscle', 'dcmotor', 'pid', 'so3', 'user']
_GeomType: TypeAlias = Literal[
    'plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'
]
_HeadlightActive: TypeAlias = Literal['false', 'true', 'auto', '0', '1']
_JointType: TypeAlias = Literal['free', 'ball', 'slide', 'hinge']
_LengthrangeMode: TypeAlias = Literal['none', 'muscle', 'muscleuser', 'all']
_LightType: TypeAlias = Literal['spot', 'directional', 'point', 'image']
_LocalGlobal: TypeAlias = Literal['local', 'global']
_MeshBuiltin: TypeAlias = Literal[
    'none', 'sphere', 'hemisphere', 'cone', 'supersphere', 'supertorus', 'wedge', 'plate'
]
_MeshInertia: TypeAlias = Literal['convex', 'exact', 'legacy', 'shell']
_NoneEllipsoid: TypeAlias = Literal['none', 'ellipsoid']
_NoneTextures: TypeAlias = Literal['none', 'textures']
_OptionIntegrator: TypeAlias = Literal['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete']
_PGSCGNewton: TypeAlias = Literal['PGS', 'CG', 'Newton']
_PerspectiveOrthographic: TypeAlias = Literal['perspective', 'orthographic']
_PosVelAcc: TypeAlias = Literal['pos', 'vel', 'acc']
_PyramidalElliptic: TypeAlias = Literal['pyramidal', 'elliptic']
_RadianDegree: TypeAlias = Literal['radian', 'degree']
_RangefinderData: TypeAlias = Literal['dist', 'dir', 'origin', 'point', 'normal', 'depth']
_SensorContactData: TypeAlias = Literal[
    'found', 'force', 'torque', 'dist', 'pos', 'normal', 'tangent', 'linvel', 'angvel'
]
_SensorContactReduce: TypeAlias = Literal['none', 'mindist', 'maxforce', 'netforce']
_SimilarGeometry: TypeAlias = Literal['similar', 'geometry']
_SiteType: TypeAlias = Literal['sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf']
_TextureBuiltin: TypeAlias = Literal['none', 'gradient', 'checker', 'flat']
_TextureMark: TypeAlias = Literal['none', 'edge', 'cross', 'random']
_TrueFalse: TypeAlias = Literal['true', 'false']
_UserDatatype: TypeAlias = Literal['real', 'positive', 'axis', 'quaternion']
_WarningMergeError: TypeAlias = Literal['warning', 'merge', 'error']
_ZohLinearCubic: TypeAlias = Literal['zoh', 'linear', 'cubic']

class _Element(Element):
    __getattr__: None
    __setattr__: None
    def add(self, element_name: Never, **attributes: Any) -> Any: ...
    def insert(self, element_name: Never, position: int | None, **attributes: Any) -> Any: ...
    @overload
    def find(self, namespace: Literal['body'], identifier: Literal['world']) -> Worldbody: ...
    @overload
    def find(self, namespace: Literal['default'], identifier: str) -> AnyDefault | None: ...
    @overload
    def find(self, namespace: Literal['body'], identifier: str) -> Body | None: ...
    @overload
    def find(self, namespace: Literal['geom'], identifier: str) -> Geom | None: ...
    @overload
    def find(self, namespace: Literal['site'], identifier: str) -> Site | None: ...
    @overload
    def find(self, namespace: Literal['camera'], identifier: str) -> Camera | None: ...
    @overload
    def find(self, namespace: Literal['light'], identifier: str) -> Light | None: ...
    @overload
    def find(self, namespace: Literal['flexcomp'], identifier: str) -> Flexcomp | None: ...
    @overload
    def find(self, namespace: Literal['frame'], identifier: str) -> Frame | None: ...
    @overload
    def find(self, namespace: Literal['joint'], identifier: str) -> AnyJoint | None: ...
    @overload
    def find(self, namespace: Literal['mesh'], identifier: str) -> Mesh | None: ...
    @overload
    def find(self, namespace: Literal['hfield'], identifier: str) -> Hfield | None: ...
    @overload
    def find(self, namespace: Literal['skin'], identifier: str) -> Skin | None: ...
    @overload
    def find(self, namespace: Literal['texture'], identifier: str) -> Texture | None: ...
    @overload
    def find(self, namespace: Literal['material'], identifier: str) -> Material | None: ...
    @overload
    def find(self, namespace: Literal['model'], identifier: str) -> Model | None: ...
    @overload
    def find(self, namespace: Literal['deformable'], identifier: str) -> AnyDeformable | None: ...
    @overload
    def find(self, namespace: Literal['contact'], identifier: str) -> AnyContact | None: ...
    @overload
    def find(self, namespace: Literal['tendon'], identifier: str) -> AnyTendon | None: ...
    @overload
    def find(self, namespace: Literal['equality'], identifier: str) -> AnyEquality | None: ...
    @overload
    def find(self, namespace: Literal['actuator'], identifier: str) -> AnyActuator | None: ...
    @overload
    def find(self, namespace: Literal['sensor'], identifier: str) -> AnySensor | None: ...
    @overload
    def find(self, namespace: Literal['numeric'], identifier: str) -> Numeric | None: ...
    @overload
    def find(self, namespace: Literal['text'], identifier: str) -> Text | None: ...
    @overload
    def find(self, namespace: Literal['tuple'], identifier: str) -> Tuple | None: ...
    @overload
    def find(self, namespace: Literal['key'], identifier: str) -> Key | None: ...
    @overload
    def find(self, namespace: Literal['plugin'], identifier: str) -> Instance | None: ...
    @overload
    def find(
        self, namespace: Literal['attachment_frame'], identifier: str
    ) -> AttachmentFrame | None: ...
    @overload
    def find(self, namespace: str, identifier: str) -> Any: ...
    @overload
    def find_all(
        self,
        namespace: Literal['default'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyDefault]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['body'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Body | AttachmentFrame]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['geom'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Geom]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['site'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Site]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['camera'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Camera]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['light'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Light]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['flexcomp'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Flexcomp]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['frame'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Frame]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['joint'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyJoint]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['mesh'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Mesh]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['hfield'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Hfield]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['skin'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Skin]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['texture'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Texture]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['material'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Material]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['model'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Model]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['deformable'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyDeformable]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['contact'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyContact]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['tendon'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyTendon]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['equality'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyEquality]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['actuator'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnyActuator]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['sensor'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AnySensor]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['numeric'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Numeric]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['text'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Text]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['tuple'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Tuple]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['key'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Key]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['plugin'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Instance]: ...
    @overload
    def find_all(
        self,
        namespace: Literal['attachment_frame'],
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[AttachmentFrame]: ...
    @overload
    def find_all(
        self,
        namespace: str,
        immediate_children_only: bool = False,
        exclude_attachments: bool = False,
    ) -> list[Any]: ...

class _RootElementDict(TypedDict, total=False):
    model: str | None

class _Mujoco(_Element):
    tag: ClassVar[Literal['mujoco']]
    compiler: Child[Compiler]
    option: Child[Option]
    size: Child[Size]
    statistic: Child[Statistic]
    visual: Child[Visual]
    default: Child[Default]
    extension: Child[Extension]
    asset: Child[Asset]
    worldbody: Child[Worldbody]
    deformable: Child[Deformable]
    contact: Child[Contact]
    tendon: Child[Tendon]
    equality: Child[Equality]
    actuator: Child[Actuator]
    sensor: Child[Sensor]
    custom: Child[Custom]
    keyframe: Child[Keyframe]
    @property
    def parent(self) -> None: ...
    def set_attributes(self, **attributes: Unpack[_RootElementDict]) -> None: ...

class _AttachmentFrameDict(TypedDict, total=False):
    childclass: AnyDefault | str | None
    mocap: _FalseTrue | bool | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    gravcomp: FloatLike | None
    sleep: _BodySleep | None
    simple: _FalseAuto | None
    fuse: _FalseAuto | None
    user: FloatsLike | None

class _AttachmentFrame(_Element):
    tag: ClassVar[Literal['body']]
    childclass: Attribute[AnyDefault | str, AnyDefault | str]
    mocap: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    gravcomp: Attribute[float, FloatLike]
    """Default `0`."""
    sleep: Attribute[_BodySleep, _BodySleep]
    """Default `auto`."""
    simple: Attribute[_FalseAuto, _FalseAuto]
    """Default `auto`."""
    fuse: Attribute[_FalseAuto, _FalseAuto]
    """Default `auto`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Children[Joint]
    freejoint: Child[Freejoint | None]
    inertial: Child[Inertial | None]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_AttachmentFrameDict]) -> None: ...
    @overload
    def add(self, element_name: Literal['joint'], **attributes: Unpack[_JointDict]) -> Joint: ...
    @overload
    def add(
        self, element_name: Literal['freejoint'], **attributes: Unpack[_FreejointDict]
    ) -> Freejoint: ...
    @overload
    def add(
        self,
        element_name: Literal['inertial'],
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def insert(
        self,
        element_name: Literal['joint'],
        position: int | None,
        **attributes: Unpack[_JointDict],
    ) -> Joint: ...
    @overload
    def insert(
        self,
        element_name: Literal['freejoint'],
        position: int | None,
        **attributes: Unpack[_FreejointDict],
    ) -> Freejoint: ...
    @overload
    def insert(
        self,
        element_name: Literal['inertial'],
        position: int | None,
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...

class _CompilerDict(TypedDict, total=False):
    autolimits: _FalseTrue | bool | None
    boundmass: FloatLike | None
    boundinertia: FloatLike | None
    settotalmass: FloatLike | None
    balanceinertia: _FalseTrue | bool | None
    strippath: _FalseTrue | bool | None
    coordinate: _LocalGlobal | None
    angle: _RadianDegree | None
    fitaabb: _FalseTrue | bool | None
    eulerseq: str | None
    meshdir: str | None
    texturedir: str | None
    assetdir: str | None
    discardvisual: _FalseTrue | bool | None
    usethread: _FalseTrue | bool | None
    fusestatic: _FalseTrue | bool | None
    inertiafromgeom: _FalseTrueAuto | bool | None
    alignfree: _FalseTrue | bool | None
    inertiagrouprange: IntsLike | None
    saveinertial: _FalseTrue | bool | None
    savecompiled: _FalseTrue | bool | None
    savecanonical: _FalseTrue | bool | None
    conflict: _WarningMergeError | None
    passthrough: _NoneTextures | None

class Compiler(_Element):
    tag: ClassVar[Literal['compiler']]
    autolimits: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    boundmass: Attribute[float, FloatLike]
    """Default `0`."""
    boundinertia: Attribute[float, FloatLike]
    """Default `0`."""
    settotalmass: Attribute[float, FloatLike]
    """Default `-1`."""
    balanceinertia: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    strippath: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    coordinate: Attribute[_LocalGlobal, _LocalGlobal]
    """Default `local`."""
    angle: Attribute[_RadianDegree, _RadianDegree]
    """Default `degree`."""
    fitaabb: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    eulerseq: Attribute[str, str]
    """Default `xyz`."""
    meshdir: Attribute[str, str]
    texturedir: Attribute[str, str]
    assetdir: Attribute[str, str]
    discardvisual: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    usethread: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    fusestatic: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    inertiafromgeom: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    alignfree: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    inertiagrouprange: Attribute[Ints, IntsLike]
    """2 numbers, default `0 5`."""
    saveinertial: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    savecompiled: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    savecanonical: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    conflict: Attribute[_WarningMergeError, _WarningMergeError]
    """Default `warning`."""
    passthrough: Attribute[_NoneTextures, _NoneTextures]
    """Default `none`."""
    lengthrange: Child[Lengthrange]
    @property
    def parent(self) -> RootElement | None: ...
    def set_attributes(self, **attributes: Unpack[_CompilerDict]) -> None: ...

class _OptionDict(TypedDict, total=False):
    timestep: FloatLike | None
    impratio: FloatLike | None
    gravity: FloatsLike | None
    wind: FloatsLike | None
    magnetic: FloatsLike | None
    density: FloatLike | None
    viscosity: FloatLike | None
    o_margin: FloatLike | None
    o_solref: FloatsLike | None
    o_solimp: FloatsLike | None
    o_friction: FloatsLike | None
    integrator: _OptionIntegrator | None
    cone: _PyramidalElliptic | None
    jacobian: _DenseSparseAuto | None
    solver: _PGSCGNewton | None
    iterations: IntLike | None
    tolerance: FloatLike | None
    ls_iterations: IntLike | None
    ls_tolerance: FloatLike | None
    noslip_iterations: IntLike | None
    noslip_tolerance: FloatLike | None
    ccd_iterations: IntLike | None
    ccd_tolerance: FloatLike | None
    sleep_tolerance: FloatLike | None
    sdf_iterations: IntLike | None
    sdf_initpoints: IntLike | None
    actuatorgroupdisable: IntsLike | None

class Option(_Element):
    tag: ClassVar[Literal['option']]
    timestep: Attribute[float, FloatLike]
    """Default `0.002`."""
    impratio: Attribute[float, FloatLike]
    """Default `1`."""
    gravity: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 -9.81`."""
    wind: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    magnetic: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 -0.5 0`."""
    density: Attribute[float, FloatLike]
    """Default `0`."""
    viscosity: Attribute[float, FloatLike]
    """Default `0`."""
    o_margin: Attribute[float, FloatLike]
    """Default `0`."""
    o_solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    o_solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    o_friction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `1 1 0.005 0.0001 0.0001`."""
    integrator: Attribute[_OptionIntegrator, _OptionIntegrator]
    """Default `Euler`."""
    cone: Attribute[_PyramidalElliptic, _PyramidalElliptic]
    """Default `pyramidal`."""
    jacobian: Attribute[_DenseSparseAuto, _DenseSparseAuto]
    """Default `auto`."""
    solver: Attribute[_PGSCGNewton, _PGSCGNewton]
    """Default `Newton`."""
    iterations: Attribute[int, IntLike]
    """Default `100`."""
    tolerance: Attribute[float, FloatLike]
    """Default `1e-8`."""
    ls_iterations: Attribute[int, IntLike]
    """Default `50`."""
    ls_tolerance: Attribute[float, FloatLike]
    """Default `0.01`."""
    noslip_iterations: Attribute[int, IntLike]
    """Default `0`."""
    noslip_tolerance: Attribute[float, FloatLike]
    """Default `1e-6`."""
    ccd_iterations: Attribute[int, IntLike]
    """Default `35`."""
    ccd_tolerance: Attribute[float, FloatLike]
    """Default `1e-6`."""
    sleep_tolerance: Attribute[float, FloatLike]
    """Default `1e-3`."""
    sdf_iterations: Attribute[int, IntLike]
    """Default `10`."""
    sdf_initpoints: Attribute[int, IntLike]
    """Default `40`."""
    actuatorgroupdisable: Attribute[Ints, IntsLike]
    """1 to 31 numbers."""
    flag: Child[Flag]
    @property
    def parent(self) -> RootElement | None: ...
    def set_attributes(self, **attributes: Unpack[_OptionDict]) -> None: ...

class _SizeDict(TypedDict, total=False):
    memory: str | None
    njmax: IntLike | None
    nconmax: IntLike | None
    nstack: IntLike | None
    nuserdata: IntLike | None
    nkey: IntLike | None
    nuser_body: IntLike | None
    nuser_jnt: IntLike | None
    nuser_geom: IntLike | None
    nuser_site: IntLike | None
    nuser_cam: IntLike | None
    nuser_tendon: IntLike | None
    nuser_actuator: IntLike | None
    nuser_sensor: IntLike | None

class Size(_Element):
    tag: ClassVar[Literal['size']]
    memory: Attribute[str, str]
    """Default `-1`."""
    njmax: Attribute[int, IntLike]
    """Default `-1`."""
    nconmax: Attribute[int, IntLike]
    """Default `-1`."""
    nstack: Attribute[int, IntLike]
    """Default `-1`."""
    nuserdata: Attribute[int, IntLike]
    """Default `0`."""
    nkey: Attribute[int, IntLike]
    """Default `0`."""
    nuser_body: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_jnt: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_geom: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_site: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_cam: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_tendon: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_actuator: Attribute[int, IntLike]
    """Default `-1`."""
    nuser_sensor: Attribute[int, IntLike]
    """Default `-1`."""
    @property
    def parent(self) -> RootElement | None: ...
    def set_attributes(self, **attributes: Unpack[_SizeDict]) -> None: ...

class _StatisticDict(TypedDict, total=False):
    meanmass: FloatLike | None
    meaninertia: FloatLike | None
    meansize: FloatLike | None
    extent: FloatLike | None
    center: FloatsLike | None

class Statistic(_Element):
    tag: ClassVar[Literal['statistic']]
    meanmass: Attribute[float, FloatLike]
    meaninertia: Attribute[float, FloatLike]
    meansize: Attribute[float, FloatLike]
    extent: Attribute[float, FloatLike]
    center: Attribute[Floats, FloatsLike]
    """3 numbers."""
    @property
    def parent(self) -> RootElement | None: ...
    def set_attributes(self, **attributes: Unpack[_StatisticDict]) -> None: ...

class Visual(_Element):
    tag: ClassVar[Literal['visual']]
    quality: Child[Quality]
    headlight: Child[Headlight]
    map: Child[Map]
    scale: Child[Scale]
    rgba: Child[Rgba]
    @overload
    def get_children(self, element_name: Literal['global']) -> Global: ...
    @overload
    def get_children(self, element_name: str) -> Any: ...
    @property
    def parent(self) -> RootElement | None: ...

class _DefaultDict(TypedDict, total=False):
    dclass: str | None

class Default(_Element):
    tag: ClassVar[Literal['default']]
    dclass: Attribute[str, str]
    mesh: Child[DefaultMesh]
    texture: Child[DefaultTexture]
    material: Child[DefaultMaterial]
    joint: Child[DefaultJoint]
    geom: Child[DefaultGeom]
    site: Child[DefaultSite]
    camera: Child[DefaultCamera]
    light: Child[DefaultLight]
    pair: Child[DefaultPair]
    equality: Child[DefaultEquality]
    tendon: Child[DefaultTendon]
    general: Child[DefaultGeneral]
    motor: Child[DefaultMotor]
    position: Child[DefaultPosition]
    velocity: Child[DefaultVelocity]
    intvelocity: Child[DefaultIntvelocity]
    orientation: Child[DefaultOrientation]
    pid: Child[DefaultPid]
    damper: Child[DefaultDamper]
    cylinder: Child[DefaultCylinder]
    muscle: Child[DefaultMuscle]
    adhesion: Child[DefaultAdhesion]
    dcmotor: Child[DefaultDcmotor]
    default: Children[DefaultDefault]
    @property
    def parent(self) -> RootElement | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultDict]) -> None: ...
    def add(self, element_name: Literal['default'], *, dclass: str) -> DefaultDefault: ...
    def insert(
        self, element_name: Literal['default'], position: int | None, *, dclass: str
    ) -> DefaultDefault: ...

class Extension(_Element):
    tag: ClassVar[Literal['extension']]
    plugin: Children[ExtensionPlugin]
    @property
    def parent(self) -> RootElement | None: ...
    def add(self, element_name: Literal['plugin'], *, plugin: str) -> ExtensionPlugin: ...
    def insert(
        self, element_name: Literal['plugin'], position: int | None, *, plugin: str
    ) -> ExtensionPlugin: ...

class Asset(_Element):
    tag: ClassVar[Literal['asset']]
    mesh: Children[Mesh]
    hfield: Children[Hfield]
    skin: Children[Skin]
    texture: Children[Texture]
    material: Children[Material]
    model: Children[Model]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(self, element_name: Literal['mesh'], **attributes: Unpack[_MeshDict]) -> Mesh: ...
    @overload
    def add(
        self,
        element_name: Literal['hfield'],
        *,
        size: FloatsLike,
        **attributes: Unpack[_HfieldDict],
    ) -> Hfield: ...
    @overload
    def add(self, element_name: Literal['skin'], **attributes: Unpack[_SkinDict]) -> Skin: ...
    @overload
    def add(
        self, element_name: Literal['texture'], **attributes: Unpack[_TextureDict]
    ) -> Texture: ...
    @overload
    def add(
        self, element_name: Literal['material'], **attributes: Unpack[_MaterialDict]
    ) -> Material: ...
    @overload
    def add(self, element_name: Literal['model'], **attributes: Unpack[_ModelDict]) -> Model: ...
    @overload
    def insert(
        self, element_name: Literal['mesh'], position: int | None, **attributes: Unpack[_MeshDict]
    ) -> Mesh: ...
    @overload
    def insert(
        self,
        element_name: Literal['hfield'],
        position: int | None,
        *,
        size: FloatsLike,
        **attributes: Unpack[_HfieldDict],
    ) -> Hfield: ...
    @overload
    def insert(
        self, element_name: Literal['skin'], position: int | None, **attributes: Unpack[_SkinDict]
    ) -> Skin: ...
    @overload
    def insert(
        self,
        element_name: Literal['texture'],
        position: int | None,
        **attributes: Unpack[_TextureDict],
    ) -> Texture: ...
    @overload
    def insert(
        self,
        element_name: Literal['material'],
        position: int | None,
        **attributes: Unpack[_MaterialDict],
    ) -> Material: ...
    @overload
    def insert(
        self,
        element_name: Literal['model'],
        position: int | None,
        **attributes: Unpack[_ModelDict],
    ) -> Model: ...

class Worldbody(_Element):
    tag: ClassVar[Literal['worldbody']]
    body: Children[Body]
    geom: Children[Geom]
    attach: Child[AttachList[Attach]]
    site: Children[Site]
    camera: Children[Camera]
    light: Children[Light]
    plugin: Children[Plugin]
    flexcomp: Children[Flexcomp]
    frame: Children[Frame]
    replicate: Children[Replicate]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(self, element_name: Literal['body'], **attributes: Unpack[_BodyDict]) -> Body: ...
    @overload
    def add(self, element_name: Literal['geom'], **attributes: Unpack[_GeomDict]) -> Geom: ...
    @overload
    def add(
        self, element_name: Literal['attach'], *, prefix: str, **attributes: Unpack[_AttachDict]
    ) -> Attach: ...
    @overload
    def add(self, element_name: Literal['site'], **attributes: Unpack[_SiteDict]) -> Site: ...
    @overload
    def add(
        self, element_name: Literal['camera'], **attributes: Unpack[_CameraDict]
    ) -> Camera: ...
    @overload
    def add(self, element_name: Literal['light'], **attributes: Unpack[_LightDict]) -> Light: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    @overload
    def add(
        self, element_name: Literal['flexcomp'], *, name: str, **attributes: Unpack[_FlexcompDict]
    ) -> Flexcomp: ...
    @overload
    def add(self, element_name: Literal['frame'], **attributes: Unpack[_FrameDict]) -> Frame: ...
    @overload
    def add(
        self,
        element_name: Literal['replicate'],
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...
    @overload
    def insert(
        self, element_name: Literal['body'], position: int | None, **attributes: Unpack[_BodyDict]
    ) -> Body: ...
    @overload
    def insert(
        self, element_name: Literal['geom'], position: int | None, **attributes: Unpack[_GeomDict]
    ) -> Geom: ...
    @overload
    def insert(
        self,
        element_name: Literal['attach'],
        position: int | None,
        *,
        prefix: str,
        **attributes: Unpack[_AttachDict],
    ) -> Attach: ...
    @overload
    def insert(
        self, element_name: Literal['site'], position: int | None, **attributes: Unpack[_SiteDict]
    ) -> Site: ...
    @overload
    def insert(
        self,
        element_name: Literal['camera'],
        position: int | None,
        **attributes: Unpack[_CameraDict],
    ) -> Camera: ...
    @overload
    def insert(
        self,
        element_name: Literal['light'],
        position: int | None,
        **attributes: Unpack[_LightDict],
    ) -> Light: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['flexcomp'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_FlexcompDict],
    ) -> Flexcomp: ...
    @overload
    def insert(
        self,
        element_name: Literal['frame'],
        position: int | None,
        **attributes: Unpack[_FrameDict],
    ) -> Frame: ...
    @overload
    def insert(
        self,
        element_name: Literal['replicate'],
        position: int | None,
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...

class Deformable(_Element):
    tag: ClassVar[Literal['deformable']]
    flex: Children[Flex]
    skin: Children[DeformableSkin]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self,
        element_name: Literal['flex'],
        *,
        body: str | Iterable[AnyBody | str],
        element: IntsLike,
        **attributes: Unpack[_FlexDict],
    ) -> Flex: ...
    @overload
    def add(
        self, element_name: Literal['skin'], **attributes: Unpack[_DeformableSkinDict]
    ) -> DeformableSkin: ...
    @overload
    def insert(
        self,
        element_name: Literal['flex'],
        position: int | None,
        *,
        body: str | Iterable[AnyBody | str],
        element: IntsLike,
        **attributes: Unpack[_FlexDict],
    ) -> Flex: ...
    @overload
    def insert(
        self,
        element_name: Literal['skin'],
        position: int | None,
        **attributes: Unpack[_DeformableSkinDict],
    ) -> DeformableSkin: ...

class Contact(_Element):
    tag: ClassVar[Literal['contact']]
    pair: Children[Pair]
    exclude: Children[Exclude]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(self, element_name: Literal['pair'], **attributes: Unpack[_PairDict]) -> Pair: ...
    @overload
    def add(
        self,
        element_name: Literal['exclude'],
        *,
        body1: AnyBody | str,
        body2: AnyBody | str,
        **attributes: Unpack[_ExcludeDict],
    ) -> Exclude: ...
    @overload
    def insert(
        self, element_name: Literal['pair'], position: int | None, **attributes: Unpack[_PairDict]
    ) -> Pair: ...
    @overload
    def insert(
        self,
        element_name: Literal['exclude'],
        position: int | None,
        *,
        body1: AnyBody | str,
        body2: AnyBody | str,
        **attributes: Unpack[_ExcludeDict],
    ) -> Exclude: ...

class Tendon(_Element):
    tag: ClassVar[Literal['tendon']]
    spatial: Children[Spatial]
    fixed: Children[Fixed]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self, element_name: Literal['spatial'], **attributes: Unpack[_SpatialDict]
    ) -> Spatial: ...
    @overload
    def add(self, element_name: Literal['fixed'], **attributes: Unpack[_FixedDict]) -> Fixed: ...
    @overload
    def insert(
        self,
        element_name: Literal['spatial'],
        position: int | None,
        **attributes: Unpack[_SpatialDict],
    ) -> Spatial: ...
    @overload
    def insert(
        self,
        element_name: Literal['fixed'],
        position: int | None,
        **attributes: Unpack[_FixedDict],
    ) -> Fixed: ...

class Equality(_Element):
    tag: ClassVar[Literal['equality']]
    connect: Children[Connect]
    weld: Children[Weld]
    joint: Children[EqualityJoint]
    tendon: Children[EqualityTendon]
    flex: Children[EqualityFlex]
    flexstrain: Children[Flexstrain]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self, element_name: Literal['connect'], **attributes: Unpack[_ConnectDict]
    ) -> Connect: ...
    @overload
    def add(self, element_name: Literal['weld'], **attributes: Unpack[_WeldDict]) -> Weld: ...
    @overload
    def add(
        self,
        element_name: Literal['joint'],
        *,
        joint1: AnyJoint | str,
        **attributes: Unpack[_EqualityJointDict],
    ) -> EqualityJoint: ...
    @overload
    def add(
        self,
        element_name: Literal['tendon'],
        *,
        tendon1: AnyTendon | str,
        **attributes: Unpack[_EqualityTendonDict],
    ) -> EqualityTendon: ...
    @overload
    def add(
        self,
        element_name: Literal['flex'],
        *,
        flex: AnyFlex | str,
        **attributes: Unpack[_EqualityFlexDict],
    ) -> EqualityFlex: ...
    @overload
    def add(
        self,
        element_name: Literal['flexstrain'],
        *,
        flex: AnyFlex | str,
        **attributes: Unpack[_FlexstrainDict],
    ) -> Flexstrain: ...
    @overload
    def insert(
        self,
        element_name: Literal['connect'],
        position: int | None,
        **attributes: Unpack[_ConnectDict],
    ) -> Connect: ...
    @overload
    def insert(
        self, element_name: Literal['weld'], position: int | None, **attributes: Unpack[_WeldDict]
    ) -> Weld: ...
    @overload
    def insert(
        self,
        element_name: Literal['joint'],
        position: int | None,
        *,
        joint1: AnyJoint | str,
        **attributes: Unpack[_EqualityJointDict],
    ) -> EqualityJoint: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendon'],
        position: int | None,
        *,
        tendon1: AnyTendon | str,
        **attributes: Unpack[_EqualityTendonDict],
    ) -> EqualityTendon: ...
    @overload
    def insert(
        self,
        element_name: Literal['flex'],
        position: int | None,
        *,
        flex: AnyFlex | str,
        **attributes: Unpack[_EqualityFlexDict],
    ) -> EqualityFlex: ...
    @overload
    def insert(
        self,
        element_name: Literal['flexstrain'],
        position: int | None,
        *,
        flex: AnyFlex | str,
        **attributes: Unpack[_FlexstrainDict],
    ) -> Flexstrain: ...

class Actuator(_Element):
    tag: ClassVar[Literal['actuator']]
    general: Children[General]
    motor: Children[Motor]
    position: Children[Position]
    velocity: Children[Velocity]
    intvelocity: Children[Intvelocity]
    orientation: Children[Orientation]
    pid: Children[Pid]
    damper: Children[Damper]
    cylinder: Children[Cylinder]
    muscle: Children[Muscle]
    adhesion: Children[Adhesion]
    dcmotor: Children[Dcmotor]
    plugin: Children[ActuatorPlugin]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self, element_name: Literal['general'], **attributes: Unpack[_GeneralDict]
    ) -> General: ...
    @overload
    def add(self, element_name: Literal['motor'], **attributes: Unpack[_MotorDict]) -> Motor: ...
    @overload
    def add(
        self, element_name: Literal['position'], **attributes: Unpack[_PositionDict]
    ) -> Position: ...
    @overload
    def add(
        self, element_name: Literal['velocity'], **attributes: Unpack[_VelocityDict]
    ) -> Velocity: ...
    @overload
    def add(
        self, element_name: Literal['intvelocity'], **attributes: Unpack[_IntvelocityDict]
    ) -> Intvelocity: ...
    @overload
    def add(
        self, element_name: Literal['orientation'], **attributes: Unpack[_OrientationDict]
    ) -> Orientation: ...
    @overload
    def add(self, element_name: Literal['pid'], **attributes: Unpack[_PidDict]) -> Pid: ...
    @overload
    def add(
        self, element_name: Literal['damper'], **attributes: Unpack[_DamperDict]
    ) -> Damper: ...
    @overload
    def add(
        self, element_name: Literal['cylinder'], **attributes: Unpack[_CylinderDict]
    ) -> Cylinder: ...
    @overload
    def add(
        self, element_name: Literal['muscle'], **attributes: Unpack[_MuscleDict]
    ) -> Muscle: ...
    @overload
    def add(
        self, element_name: Literal['adhesion'], **attributes: Unpack[_AdhesionDict]
    ) -> Adhesion: ...
    @overload
    def add(
        self, element_name: Literal['dcmotor'], **attributes: Unpack[_DcmotorDict]
    ) -> Dcmotor: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_ActuatorPluginDict]
    ) -> ActuatorPlugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['general'],
        position: int | None,
        **attributes: Unpack[_GeneralDict],
    ) -> General: ...
    @overload
    def insert(
        self,
        element_name: Literal['motor'],
        position: int | None,
        **attributes: Unpack[_MotorDict],
    ) -> Motor: ...
    @overload
    def insert(
        self,
        element_name: Literal['position'],
        position: int | None,
        **attributes: Unpack[_PositionDict],
    ) -> Position: ...
    @overload
    def insert(
        self,
        element_name: Literal['velocity'],
        position: int | None,
        **attributes: Unpack[_VelocityDict],
    ) -> Velocity: ...
    @overload
    def insert(
        self,
        element_name: Literal['intvelocity'],
        position: int | None,
        **attributes: Unpack[_IntvelocityDict],
    ) -> Intvelocity: ...
    @overload
    def insert(
        self,
        element_name: Literal['orientation'],
        position: int | None,
        **attributes: Unpack[_OrientationDict],
    ) -> Orientation: ...
    @overload
    def insert(
        self, element_name: Literal['pid'], position: int | None, **attributes: Unpack[_PidDict]
    ) -> Pid: ...
    @overload
    def insert(
        self,
        element_name: Literal['damper'],
        position: int | None,
        **attributes: Unpack[_DamperDict],
    ) -> Damper: ...
    @overload
    def insert(
        self,
        element_name: Literal['cylinder'],
        position: int | None,
        **attributes: Unpack[_CylinderDict],
    ) -> Cylinder: ...
    @overload
    def insert(
        self,
        element_name: Literal['muscle'],
        position: int | None,
        **attributes: Unpack[_MuscleDict],
    ) -> Muscle: ...
    @overload
    def insert(
        self,
        element_name: Literal['adhesion'],
        position: int | None,
        **attributes: Unpack[_AdhesionDict],
    ) -> Adhesion: ...
    @overload
    def insert(
        self,
        element_name: Literal['dcmotor'],
        position: int | None,
        **attributes: Unpack[_DcmotorDict],
    ) -> Dcmotor: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_ActuatorPluginDict],
    ) -> ActuatorPlugin: ...

class Sensor(_Element):
    tag: ClassVar[Literal['sensor']]
    touch: Children[Touch]
    accelerometer: Children[Accelerometer]
    velocimeter: Children[Velocimeter]
    gyro: Children[Gyro]
    force: Children[Force]
    torque: Children[Torque]
    magnetometer: Children[Magnetometer]
    camprojection: Children[Camprojection]
    rangefinder: Children[Rangefinder]
    jointpos: Children[Jointpos]
    jointvel: Children[Jointvel]
    tendonpos: Children[Tendonpos]
    tendonvel: Children[Tendonvel]
    actuatorpos: Children[Actuatorpos]
    actuatorvel: Children[Actuatorvel]
    actuatorfrc: Children[Actuatorfrc]
    jointactuatorfrc: Children[Jointactuatorfrc]
    tendonactuatorfrc: Children[Tendonactuatorfrc]
    ballquat: Children[Ballquat]
    ballangvel: Children[Ballangvel]
    jointlimitpos: Children[Jointlimitpos]
    jointlimitvel: Children[Jointlimitvel]
    jointlimitfrc: Children[Jointlimitfrc]
    tendonlimitpos: Children[Tendonlimitpos]
    tendonlimitvel: Children[Tendonlimitvel]
    tendonlimitfrc: Children[Tendonlimitfrc]
    framepos: Children[Framepos]
    framequat: Children[Framequat]
    framexaxis: Children[Framexaxis]
    frameyaxis: Children[Frameyaxis]
    framezaxis: Children[Framezaxis]
    framelinvel: Children[Framelinvel]
    frameangvel: Children[Frameangvel]
    framelinacc: Children[Framelinacc]
    frameangacc: Children[Frameangacc]
    subtreecom: Children[Subtreecom]
    subtreelinvel: Children[Subtreelinvel]
    subtreeangmom: Children[Subtreeangmom]
    insidesite: Children[Insidesite]
    distance: Children[Distance]
    normal: Children[Normal]
    fromto: Children[Fromto]
    contact: Children[SensorContact]
    e_potential: Children[EPotential]
    e_kinetic: Children[EKinetic]
    clock: Children[Clock]
    tactile: Children[Tactile]
    user: Children[User]
    plugin: Children[SensorPlugin]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self, element_name: Literal['touch'], *, site: Site | str, **attributes: Unpack[_TouchDict]
    ) -> Touch: ...
    @overload
    def add(
        self,
        element_name: Literal['accelerometer'],
        *,
        site: Site | str,
        **attributes: Unpack[_AccelerometerDict],
    ) -> Accelerometer: ...
    @overload
    def add(
        self,
        element_name: Literal['velocimeter'],
        *,
        site: Site | str,
        **attributes: Unpack[_VelocimeterDict],
    ) -> Velocimeter: ...
    @overload
    def add(
        self, element_name: Literal['gyro'], *, site: Site | str, **attributes: Unpack[_GyroDict]
    ) -> Gyro: ...
    @overload
    def add(
        self, element_name: Literal['force'], *, site: Site | str, **attributes: Unpack[_ForceDict]
    ) -> Force: ...
    @overload
    def add(
        self,
        element_name: Literal['torque'],
        *,
        site: Site | str,
        **attributes: Unpack[_TorqueDict],
    ) -> Torque: ...
    @overload
    def add(
        self,
        element_name: Literal['magnetometer'],
        *,
        site: Site | str,
        **attributes: Unpack[_MagnetometerDict],
    ) -> Magnetometer: ...
    @overload
    def add(
        self,
        element_name: Literal['camprojection'],
        *,
        site: Site | str,
        camera: Camera | str,
        **attributes: Unpack[_CamprojectionDict],
    ) -> Camprojection: ...
    @overload
    def add(
        self, element_name: Literal['rangefinder'], **attributes: Unpack[_RangefinderDict]
    ) -> Rangefinder: ...
    @overload
    def add(
        self,
        element_name: Literal['jointpos'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointposDict],
    ) -> Jointpos: ...
    @overload
    def add(
        self,
        element_name: Literal['jointvel'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointvelDict],
    ) -> Jointvel: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonpos'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonposDict],
    ) -> Tendonpos: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonvel'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonvelDict],
    ) -> Tendonvel: ...
    @overload
    def add(
        self,
        element_name: Literal['actuatorpos'],
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorposDict],
    ) -> Actuatorpos: ...
    @overload
    def add(
        self,
        element_name: Literal['actuatorvel'],
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorvelDict],
    ) -> Actuatorvel: ...
    @overload
    def add(
        self,
        element_name: Literal['actuatorfrc'],
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorfrcDict],
    ) -> Actuatorfrc: ...
    @overload
    def add(
        self,
        element_name: Literal['jointactuatorfrc'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointactuatorfrcDict],
    ) -> Jointactuatorfrc: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonactuatorfrc'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonactuatorfrcDict],
    ) -> Tendonactuatorfrc: ...
    @overload
    def add(
        self,
        element_name: Literal['ballquat'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_BallquatDict],
    ) -> Ballquat: ...
    @overload
    def add(
        self,
        element_name: Literal['ballangvel'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_BallangvelDict],
    ) -> Ballangvel: ...
    @overload
    def add(
        self,
        element_name: Literal['jointlimitpos'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitposDict],
    ) -> Jointlimitpos: ...
    @overload
    def add(
        self,
        element_name: Literal['jointlimitvel'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitvelDict],
    ) -> Jointlimitvel: ...
    @overload
    def add(
        self,
        element_name: Literal['jointlimitfrc'],
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitfrcDict],
    ) -> Jointlimitfrc: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonlimitpos'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitposDict],
    ) -> Tendonlimitpos: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonlimitvel'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitvelDict],
    ) -> Tendonlimitvel: ...
    @overload
    def add(
        self,
        element_name: Literal['tendonlimitfrc'],
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitfrcDict],
    ) -> Tendonlimitfrc: ...
    @overload
    def add(
        self,
        element_name: Literal['framepos'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameposDict],
    ) -> Framepos: ...
    @overload
    def add(
        self,
        element_name: Literal['framequat'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramequatDict],
    ) -> Framequat: ...
    @overload
    def add(
        self,
        element_name: Literal['framexaxis'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramexaxisDict],
    ) -> Framexaxis: ...
    @overload
    def add(
        self,
        element_name: Literal['frameyaxis'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameyaxisDict],
    ) -> Frameyaxis: ...
    @overload
    def add(
        self,
        element_name: Literal['framezaxis'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramezaxisDict],
    ) -> Framezaxis: ...
    @overload
    def add(
        self,
        element_name: Literal['framelinvel'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramelinvelDict],
    ) -> Framelinvel: ...
    @overload
    def add(
        self,
        element_name: Literal['frameangvel'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameangvelDict],
    ) -> Frameangvel: ...
    @overload
    def add(
        self,
        element_name: Literal['framelinacc'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramelinaccDict],
    ) -> Framelinacc: ...
    @overload
    def add(
        self,
        element_name: Literal['frameangacc'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameangaccDict],
    ) -> Frameangacc: ...
    @overload
    def add(
        self,
        element_name: Literal['subtreecom'],
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreecomDict],
    ) -> Subtreecom: ...
    @overload
    def add(
        self,
        element_name: Literal['subtreelinvel'],
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreelinvelDict],
    ) -> Subtreelinvel: ...
    @overload
    def add(
        self,
        element_name: Literal['subtreeangmom'],
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreeangmomDict],
    ) -> Subtreeangmom: ...
    @overload
    def add(
        self,
        element_name: Literal['insidesite'],
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        site: Site | str,
        **attributes: Unpack[_InsidesiteDict],
    ) -> Insidesite: ...
    @overload
    def add(
        self, element_name: Literal['distance'], **attributes: Unpack[_DistanceDict]
    ) -> Distance: ...
    @overload
    def add(
        self, element_name: Literal['normal'], **attributes: Unpack[_NormalDict]
    ) -> Normal: ...
    @overload
    def add(
        self, element_name: Literal['fromto'], **attributes: Unpack[_FromtoDict]
    ) -> Fromto: ...
    @overload
    def add(
        self, element_name: Literal['contact'], **attributes: Unpack[_SensorContactDict]
    ) -> SensorContact: ...
    @overload
    def add(
        self, element_name: Literal['e_potential'], **attributes: Unpack[_EPotentialDict]
    ) -> EPotential: ...
    @overload
    def add(
        self, element_name: Literal['e_kinetic'], **attributes: Unpack[_EKineticDict]
    ) -> EKinetic: ...
    @overload
    def add(self, element_name: Literal['clock'], **attributes: Unpack[_ClockDict]) -> Clock: ...
    @overload
    def add(
        self,
        element_name: Literal['tactile'],
        *,
        geom: Geom | str,
        mesh: Mesh | str,
        **attributes: Unpack[_TactileDict],
    ) -> Tactile: ...
    @overload
    def add(
        self, element_name: Literal['user'], *, dim: IntLike, **attributes: Unpack[_UserDict]
    ) -> User: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_SensorPluginDict]
    ) -> SensorPlugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['touch'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_TouchDict],
    ) -> Touch: ...
    @overload
    def insert(
        self,
        element_name: Literal['accelerometer'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_AccelerometerDict],
    ) -> Accelerometer: ...
    @overload
    def insert(
        self,
        element_name: Literal['velocimeter'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_VelocimeterDict],
    ) -> Velocimeter: ...
    @overload
    def insert(
        self,
        element_name: Literal['gyro'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_GyroDict],
    ) -> Gyro: ...
    @overload
    def insert(
        self,
        element_name: Literal['force'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_ForceDict],
    ) -> Force: ...
    @overload
    def insert(
        self,
        element_name: Literal['torque'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_TorqueDict],
    ) -> Torque: ...
    @overload
    def insert(
        self,
        element_name: Literal['magnetometer'],
        position: int | None,
        *,
        site: Site | str,
        **attributes: Unpack[_MagnetometerDict],
    ) -> Magnetometer: ...
    @overload
    def insert(
        self,
        element_name: Literal['camprojection'],
        position: int | None,
        *,
        site: Site | str,
        camera: Camera | str,
        **attributes: Unpack[_CamprojectionDict],
    ) -> Camprojection: ...
    @overload
    def insert(
        self,
        element_name: Literal['rangefinder'],
        position: int | None,
        **attributes: Unpack[_RangefinderDict],
    ) -> Rangefinder: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointpos'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointposDict],
    ) -> Jointpos: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointvel'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointvelDict],
    ) -> Jointvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonpos'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonposDict],
    ) -> Tendonpos: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonvel'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonvelDict],
    ) -> Tendonvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['actuatorpos'],
        position: int | None,
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorposDict],
    ) -> Actuatorpos: ...
    @overload
    def insert(
        self,
        element_name: Literal['actuatorvel'],
        position: int | None,
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorvelDict],
    ) -> Actuatorvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['actuatorfrc'],
        position: int | None,
        *,
        actuator: AnyActuator | str,
        **attributes: Unpack[_ActuatorfrcDict],
    ) -> Actuatorfrc: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointactuatorfrc'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointactuatorfrcDict],
    ) -> Jointactuatorfrc: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonactuatorfrc'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonactuatorfrcDict],
    ) -> Tendonactuatorfrc: ...
    @overload
    def insert(
        self,
        element_name: Literal['ballquat'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_BallquatDict],
    ) -> Ballquat: ...
    @overload
    def insert(
        self,
        element_name: Literal['ballangvel'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_BallangvelDict],
    ) -> Ballangvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointlimitpos'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitposDict],
    ) -> Jointlimitpos: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointlimitvel'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitvelDict],
    ) -> Jointlimitvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['jointlimitfrc'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        **attributes: Unpack[_JointlimitfrcDict],
    ) -> Jointlimitfrc: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonlimitpos'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitposDict],
    ) -> Tendonlimitpos: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonlimitvel'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitvelDict],
    ) -> Tendonlimitvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['tendonlimitfrc'],
        position: int | None,
        *,
        tendon: AnyTendon | str,
        **attributes: Unpack[_TendonlimitfrcDict],
    ) -> Tendonlimitfrc: ...
    @overload
    def insert(
        self,
        element_name: Literal['framepos'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameposDict],
    ) -> Framepos: ...
    @overload
    def insert(
        self,
        element_name: Literal['framequat'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramequatDict],
    ) -> Framequat: ...
    @overload
    def insert(
        self,
        element_name: Literal['framexaxis'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramexaxisDict],
    ) -> Framexaxis: ...
    @overload
    def insert(
        self,
        element_name: Literal['frameyaxis'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameyaxisDict],
    ) -> Frameyaxis: ...
    @overload
    def insert(
        self,
        element_name: Literal['framezaxis'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramezaxisDict],
    ) -> Framezaxis: ...
    @overload
    def insert(
        self,
        element_name: Literal['framelinvel'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramelinvelDict],
    ) -> Framelinvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['frameangvel'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameangvelDict],
    ) -> Frameangvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['framelinacc'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FramelinaccDict],
    ) -> Framelinacc: ...
    @overload
    def insert(
        self,
        element_name: Literal['frameangacc'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        **attributes: Unpack[_FrameangaccDict],
    ) -> Frameangacc: ...
    @overload
    def insert(
        self,
        element_name: Literal['subtreecom'],
        position: int | None,
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreecomDict],
    ) -> Subtreecom: ...
    @overload
    def insert(
        self,
        element_name: Literal['subtreelinvel'],
        position: int | None,
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreelinvelDict],
    ) -> Subtreelinvel: ...
    @overload
    def insert(
        self,
        element_name: Literal['subtreeangmom'],
        position: int | None,
        *,
        body: AnyBody | str,
        **attributes: Unpack[_SubtreeangmomDict],
    ) -> Subtreeangmom: ...
    @overload
    def insert(
        self,
        element_name: Literal['insidesite'],
        position: int | None,
        *,
        objtype: _FrameposObjtype,
        objname: Element | str,
        site: Site | str,
        **attributes: Unpack[_InsidesiteDict],
    ) -> Insidesite: ...
    @overload
    def insert(
        self,
        element_name: Literal['distance'],
        position: int | None,
        **attributes: Unpack[_DistanceDict],
    ) -> Distance: ...
    @overload
    def insert(
        self,
        element_name: Literal['normal'],
        position: int | None,
        **attributes: Unpack[_NormalDict],
    ) -> Normal: ...
    @overload
    def insert(
        self,
        element_name: Literal['fromto'],
        position: int | None,
        **attributes: Unpack[_FromtoDict],
    ) -> Fromto: ...
    @overload
    def insert(
        self,
        element_name: Literal['contact'],
        position: int | None,
        **attributes: Unpack[_SensorContactDict],
    ) -> SensorContact: ...
    @overload
    def insert(
        self,
        element_name: Literal['e_potential'],
        position: int | None,
        **attributes: Unpack[_EPotentialDict],
    ) -> EPotential: ...
    @overload
    def insert(
        self,
        element_name: Literal['e_kinetic'],
        position: int | None,
        **attributes: Unpack[_EKineticDict],
    ) -> EKinetic: ...
    @overload
    def insert(
        self,
        element_name: Literal['clock'],
        position: int | None,
        **attributes: Unpack[_ClockDict],
    ) -> Clock: ...
    @overload
    def insert(
        self,
        element_name: Literal['tactile'],
        position: int | None,
        *,
        geom: Geom | str,
        mesh: Mesh | str,
        **attributes: Unpack[_TactileDict],
    ) -> Tactile: ...
    @overload
    def insert(
        self,
        element_name: Literal['user'],
        position: int | None,
        *,
        dim: IntLike,
        **attributes: Unpack[_UserDict],
    ) -> User: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_SensorPluginDict],
    ) -> SensorPlugin: ...

class Custom(_Element):
    tag: ClassVar[Literal['custom']]
    numeric: Children[Numeric]
    text: Children[Text]
    tuple: Children[Tuple]
    @property
    def parent(self) -> RootElement | None: ...
    @overload
    def add(
        self, element_name: Literal['numeric'], *, name: str, **attributes: Unpack[_NumericDict]
    ) -> Numeric: ...
    @overload
    def add(
        self, element_name: Literal['text'], *, name: str, **attributes: Unpack[_TextDict]
    ) -> Text: ...
    @overload
    def add(self, element_name: Literal['tuple'], *, name: str) -> Tuple: ...
    @overload
    def insert(
        self,
        element_name: Literal['numeric'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_NumericDict],
    ) -> Numeric: ...
    @overload
    def insert(
        self,
        element_name: Literal['text'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_TextDict],
    ) -> Text: ...
    @overload
    def insert(
        self, element_name: Literal['tuple'], position: int | None, *, name: str
    ) -> Tuple: ...

class Keyframe(_Element):
    tag: ClassVar[Literal['keyframe']]
    key: Children[Key]
    @property
    def parent(self) -> RootElement | None: ...
    def add(self, element_name: Literal['key'], **attributes: Unpack[_KeyDict]) -> Key: ...
    def insert(
        self, element_name: Literal['key'], position: int | None, **attributes: Unpack[_KeyDict]
    ) -> Key: ...

class _BodyDict(TypedDict, total=False):
    name: str | None
    childclass: AnyDefault | str | None
    mocap: _FalseTrue | bool | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    gravcomp: FloatLike | None
    sleep: _BodySleep | None
    simple: _FalseAuto | None
    fuse: _FalseAuto | None
    user: FloatsLike | None

class Body(_Element):
    tag: ClassVar[Literal['body']]
    name: Attribute[str, str]
    childclass: Attribute[AnyDefault | str, AnyDefault | str]
    mocap: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    gravcomp: Attribute[float, FloatLike]
    """Default `0`."""
    sleep: Attribute[_BodySleep, _BodySleep]
    """Default `auto`."""
    simple: Attribute[_FalseAuto, _FalseAuto]
    """Default `auto`."""
    fuse: Attribute[_FalseAuto, _FalseAuto]
    """Default `auto`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    inertial: Child[Inertial | None]
    joint: Children[Joint]
    freejoint: Child[Freejoint | None]
    geom: Children[Geom]
    attach: Children[Attach]
    site: Children[Site]
    camera: Children[Camera]
    light: Children[Light]
    plugin: Children[Plugin]
    flexcomp: Children[Flexcomp]
    body: Children[Body]
    frame: Children[Frame]
    replicate: Children[Replicate]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_BodyDict]) -> None: ...
    @overload
    def add(
        self,
        element_name: Literal['inertial'],
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def add(self, element_name: Literal['joint'], **attributes: Unpack[_JointDict]) -> Joint: ...
    @overload
    def add(
        self, element_name: Literal['freejoint'], **attributes: Unpack[_FreejointDict]
    ) -> Freejoint: ...
    @overload
    def add(self, element_name: Literal['geom'], **attributes: Unpack[_GeomDict]) -> Geom: ...
    @overload
    def add(
        self, element_name: Literal['attach'], *, prefix: str, **attributes: Unpack[_AttachDict]
    ) -> Attach: ...
    @overload
    def add(self, element_name: Literal['site'], **attributes: Unpack[_SiteDict]) -> Site: ...
    @overload
    def add(
        self, element_name: Literal['camera'], **attributes: Unpack[_CameraDict]
    ) -> Camera: ...
    @overload
    def add(self, element_name: Literal['light'], **attributes: Unpack[_LightDict]) -> Light: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    @overload
    def add(
        self, element_name: Literal['flexcomp'], *, name: str, **attributes: Unpack[_FlexcompDict]
    ) -> Flexcomp: ...
    @overload
    def add(self, element_name: Literal['body'], **attributes: Unpack[_BodyDict]) -> Body: ...
    @overload
    def add(self, element_name: Literal['frame'], **attributes: Unpack[_FrameDict]) -> Frame: ...
    @overload
    def add(
        self,
        element_name: Literal['replicate'],
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...
    @overload
    def insert(
        self,
        element_name: Literal['inertial'],
        position: int | None,
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def insert(
        self,
        element_name: Literal['joint'],
        position: int | None,
        **attributes: Unpack[_JointDict],
    ) -> Joint: ...
    @overload
    def insert(
        self,
        element_name: Literal['freejoint'],
        position: int | None,
        **attributes: Unpack[_FreejointDict],
    ) -> Freejoint: ...
    @overload
    def insert(
        self, element_name: Literal['geom'], position: int | None, **attributes: Unpack[_GeomDict]
    ) -> Geom: ...
    @overload
    def insert(
        self,
        element_name: Literal['attach'],
        position: int | None,
        *,
        prefix: str,
        **attributes: Unpack[_AttachDict],
    ) -> Attach: ...
    @overload
    def insert(
        self, element_name: Literal['site'], position: int | None, **attributes: Unpack[_SiteDict]
    ) -> Site: ...
    @overload
    def insert(
        self,
        element_name: Literal['camera'],
        position: int | None,
        **attributes: Unpack[_CameraDict],
    ) -> Camera: ...
    @overload
    def insert(
        self,
        element_name: Literal['light'],
        position: int | None,
        **attributes: Unpack[_LightDict],
    ) -> Light: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['flexcomp'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_FlexcompDict],
    ) -> Flexcomp: ...
    @overload
    def insert(
        self, element_name: Literal['body'], position: int | None, **attributes: Unpack[_BodyDict]
    ) -> Body: ...
    @overload
    def insert(
        self,
        element_name: Literal['frame'],
        position: int | None,
        **attributes: Unpack[_FrameDict],
    ) -> Frame: ...
    @overload
    def insert(
        self,
        element_name: Literal['replicate'],
        position: int | None,
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...

class _GeomDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    type: _GeomType | None
    contype: IntLike | None
    conaffinity: IntLike | None
    condim: IntLike | None
    group: IntLike | None
    priority: IntLike | None
    size: FloatsLike | None
    material: Material | str | None
    rgba: FloatsLike | None
    castshadow: _FalseTrue | bool | None
    friction: FloatsLike | None
    mass: FloatLike | None
    density: FloatLike | None
    shellinertia: _FalseTrue | bool | None
    solmix: FloatLike | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    margin: FloatLike | None
    gap: FloatLike | None
    surfacevel: FloatsLike | None
    adhesion: FloatLike | None
    fromto: FloatsLike | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    hfield: Hfield | str | None
    mesh: Mesh | str | None
    fitscale: FloatLike | None
    fluidshape: _NoneEllipsoid | None
    fluidcoef: FloatsLike | None
    user: FloatsLike | None

class Geom(_Element):
    tag: ClassVar[Literal['geom']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    type: Attribute[_GeomType, _GeomType]
    """Default `sphere`."""
    contype: Attribute[int, IntLike]
    """Default `1`."""
    conaffinity: Attribute[int, IntLike]
    """Default `1`."""
    condim: Attribute[int, IntLike]
    """Default `3`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    priority: Attribute[int, IntLike]
    """Default `0`."""
    size: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    castshadow: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    friction: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `1 0.005 0.0001`."""
    mass: Attribute[float, FloatLike]
    density: Attribute[float, FloatLike]
    """Default `1000`."""
    shellinertia: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    solmix: Attribute[float, FloatLike]
    """Default `1`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    gap: Attribute[float, FloatLike]
    """Default `0`."""
    surfacevel: Attribute[Floats, FloatsLike]
    """1 to 6 numbers."""
    adhesion: Attribute[float, FloatLike]
    fromto: Attribute[Floats, FloatsLike]
    """6 numbers."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    hfield: Attribute[Hfield | str, Hfield | str]
    mesh: Attribute[Mesh | str, Mesh | str]
    fitscale: Attribute[float, FloatLike]
    """Default `1`."""
    fluidshape: Attribute[_NoneEllipsoid, _NoneEllipsoid]
    """Default `none`."""
    fluidcoef: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.5 0.25 1.5 1.0 1.0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    plugin: Children[Plugin]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_GeomDict]) -> None: ...
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...

class _AttachDict(TypedDict, total=False):
    model: Model | str | None
    body: str | None
    frame: str | None

class Attach(_Element):
    tag: ClassVar[Literal['attach']]
    model: Attribute[Model | str, Model | str]
    body: Attribute[str, str]
    frame: Attribute[str, str]
    prefix: Required[str, str]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, *, prefix: str = ..., **attributes: Unpack[_AttachDict]) -> None: ...

class _SiteDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    type: _SiteType | None
    group: IntLike | None
    material: Material | str | None
    mesh: Mesh | str | None
    rgba: FloatsLike | None
    size: FloatsLike | None
    fromto: FloatsLike | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    user: FloatsLike | None

class Site(_Element, Attachable):
    tag: ClassVar[Literal['site']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    type: Attribute[_SiteType, _SiteType]
    """Default `sphere`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    material: Attribute[Material | str, Material | str]
    mesh: Attribute[Mesh | str, Mesh | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    size: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0.005 0.005 0.005`."""
    fromto: Attribute[Floats, FloatsLike]
    """6 numbers."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_SiteDict]) -> None: ...

class _CameraDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    mode: _CameraMode | None
    target: AnyBody | str | None
    projection: _PerspectiveOrthographic | None
    fovy: FloatLike | None
    resolution: IntsLike | None
    output: str | Iterable[_CameraOutput] | None
    sensorsize: FloatsLike | None
    focal: FloatsLike | None
    focalpixel: FloatsLike | None
    principal: FloatsLike | None
    principalpixel: FloatsLike | None
    ipd: FloatLike | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    user: FloatsLike | None

class Camera(_Element):
    tag: ClassVar[Literal['camera']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    mode: Attribute[_CameraMode, _CameraMode]
    """Default `fixed`."""
    target: Attribute[AnyBody | str, AnyBody | str]
    projection: Attribute[_PerspectiveOrthographic, _PerspectiveOrthographic]
    """Default `perspective`."""
    fovy: Attribute[float, FloatLike]
    """Default `45`."""
    resolution: Attribute[Ints, IntsLike]
    """2 numbers, default `1 1`."""
    output: Attribute[str, str | Iterable[_CameraOutput]]
    """Default `rgb`."""
    sensorsize: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    focal: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    focalpixel: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    principal: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    principalpixel: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    ipd: Attribute[float, FloatLike]
    """Default `0.068`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_CameraDict]) -> None: ...

class _LightDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    mode: _CameraMode | None
    target: AnyBody | str | None
    type: _LightType | None
    directional: _FalseTrue | bool | None
    castshadow: _FalseTrue | bool | None
    active: _FalseTrue | bool | None
    pos: FloatsLike | None
    dir: FloatsLike | None
    diffuse: FloatsLike | None
    texture: Texture | str | None
    intensity: FloatLike | None
    ambient: FloatsLike | None
    specular: FloatsLike | None
    range: FloatLike | None
    bulbradius: FloatLike | None
    attenuation: FloatsLike | None
    cutoff: FloatLike | None
    softness: FloatLike | None
    exponent: FloatLike | None

class Light(_Element):
    tag: ClassVar[Literal['light']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    mode: Attribute[_CameraMode, _CameraMode]
    """Default `fixed`."""
    target: Attribute[AnyBody | str, AnyBody | str]
    type: Attribute[_LightType, _LightType]
    """Default `spot`."""
    directional: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    castshadow: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    dir: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 -1`."""
    diffuse: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.7 0.7 0.7`."""
    texture: Attribute[Texture | str, Texture | str]
    intensity: Attribute[float, FloatLike]
    """Default `0.0`."""
    ambient: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    specular: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.3 0.3 0.3`."""
    range: Attribute[float, FloatLike]
    """Default `10.0`."""
    bulbradius: Attribute[float, FloatLike]
    """Default `0.02`."""
    attenuation: Attribute[Floats, FloatsLike]
    """3 numbers, default `1 0 0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `45`."""
    softness: Attribute[float, FloatLike]
    """Default `0.2`."""
    exponent: Attribute[float, FloatLike]
    """Default `10`."""
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_LightDict]) -> None: ...

class _PluginDict(TypedDict, total=False):
    plugin: str | None
    instance: Instance | str | None

class Plugin(_Element):
    tag: ClassVar[Literal['plugin']]
    plugin: Attribute[str, str]
    instance: Attribute[Instance | str, Instance | str]
    config: Children[Config]
    @property
    def parent(self) -> Worldbody | Body | Geom | Flexcomp | Frame | Replicate | Mesh | None: ...
    def set_attributes(self, **attributes: Unpack[_PluginDict]) -> None: ...
    def add(self, element_name: Literal['config'], *, key: str, value: str) -> Config: ...
    def insert(
        self, element_name: Literal['config'], position: int | None, *, key: str, value: str
    ) -> Config: ...

class _FlexcompDict(TypedDict, total=False):
    dim: IntLike | None
    dof: _FlexcompDof | None
    type: _FlexcompType | None
    count: IntsLike | None
    cellcount: IntsLike | None
    spacing: FloatsLike | None
    point: FloatsLike | None
    element: IntsLike | None
    texcoord: FloatsLike | None
    mass: FloatLike | None
    inertiabox: FloatLike | None
    file: _File | str | None
    mesh: Mesh | str | None
    rigid: _TrueFalse | bool | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    scale: FloatsLike | None
    radius: FloatLike | None
    material: Material | str | None
    rgba: FloatsLike | None
    group: IntLike | None
    flatskin: _TrueFalse | bool | None
    origin: FloatsLike | None

class Flexcomp(_Element):
    tag: ClassVar[Literal['flexcomp']]
    name: Required[str, str]
    dim: Attribute[int, IntLike]
    """Default `2`."""
    dof: Attribute[_FlexcompDof, _FlexcompDof]
    """Default `full`."""
    type: Attribute[_FlexcompType, _FlexcompType]
    """Default `grid`."""
    count: Attribute[Ints, IntsLike]
    """3 numbers, default `10 10 10`."""
    cellcount: Attribute[Ints, IntsLike]
    """3 numbers, default `1 1 1`."""
    spacing: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.02 0.02 0.02`."""
    point: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    element: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    texcoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    mass: Attribute[float, FloatLike]
    """Default `1`."""
    inertiabox: Attribute[float, FloatLike]
    """Default `0.005`."""
    file: Attribute[_File, _File | str]
    mesh: Attribute[Mesh | str, Mesh | str]
    rigid: Attribute[_TrueFalse, _TrueFalse | bool]
    """Default `false`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    scale: Attribute[Floats, FloatsLike]
    """3 numbers, default `1 1 1`."""
    radius: Attribute[float, FloatLike]
    """Default `0.005`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    flatskin: Attribute[_TrueFalse, _TrueFalse | bool]
    """Default `false`."""
    origin: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    edge: Child[Edge]
    elasticity: Child[Elasticity]
    contact: Child[FlexcompContact]
    pin: Children[Pin]
    plugin: Children[Plugin]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, *, name: str = ..., **attributes: Unpack[_FlexcompDict]) -> None: ...
    @overload
    def add(self, element_name: Literal['pin'], **attributes: Unpack[_PinDict]) -> Pin: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    @overload
    def insert(
        self, element_name: Literal['pin'], position: int | None, **attributes: Unpack[_PinDict]
    ) -> Pin: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...

class _FrameDict(TypedDict, total=False):
    name: str | None
    childclass: AnyDefault | str | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    scale: FloatsLike | None
    scaling: _SimilarGeometry | None
    massscale: FloatLike | None

class Frame(_Element):
    tag: ClassVar[Literal['frame']]
    name: Attribute[str, str]
    childclass: Attribute[AnyDefault | str, AnyDefault | str]
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    scale: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `1`."""
    scaling: Attribute[_SimilarGeometry, _SimilarGeometry]
    """Default `similar`."""
    massscale: Attribute[float, FloatLike]
    """Default `0`."""
    inertial: Child[Inertial | None]
    joint: Children[Joint]
    freejoint: Child[Freejoint | None]
    geom: Children[Geom]
    attach: Children[Attach]
    site: Children[Site]
    camera: Children[Camera]
    light: Children[Light]
    plugin: Children[Plugin]
    flexcomp: Children[Flexcomp]
    body: Children[Body]
    frame: Children[Frame]
    replicate: Children[Replicate]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(self, **attributes: Unpack[_FrameDict]) -> None: ...
    @overload
    def add(
        self,
        element_name: Literal['inertial'],
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def add(self, element_name: Literal['joint'], **attributes: Unpack[_JointDict]) -> Joint: ...
    @overload
    def add(
        self, element_name: Literal['freejoint'], **attributes: Unpack[_FreejointDict]
    ) -> Freejoint: ...
    @overload
    def add(self, element_name: Literal['geom'], **attributes: Unpack[_GeomDict]) -> Geom: ...
    @overload
    def add(
        self, element_name: Literal['attach'], *, prefix: str, **attributes: Unpack[_AttachDict]
    ) -> Attach: ...
    @overload
    def add(self, element_name: Literal['site'], **attributes: Unpack[_SiteDict]) -> Site: ...
    @overload
    def add(
        self, element_name: Literal['camera'], **attributes: Unpack[_CameraDict]
    ) -> Camera: ...
    @overload
    def add(self, element_name: Literal['light'], **attributes: Unpack[_LightDict]) -> Light: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    @overload
    def add(
        self, element_name: Literal['flexcomp'], *, name: str, **attributes: Unpack[_FlexcompDict]
    ) -> Flexcomp: ...
    @overload
    def add(self, element_name: Literal['body'], **attributes: Unpack[_BodyDict]) -> Body: ...
    @overload
    def add(self, element_name: Literal['frame'], **attributes: Unpack[_FrameDict]) -> Frame: ...
    @overload
    def add(
        self,
        element_name: Literal['replicate'],
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...
    @overload
    def insert(
        self,
        element_name: Literal['inertial'],
        position: int | None,
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def insert(
        self,
        element_name: Literal['joint'],
        position: int | None,
        **attributes: Unpack[_JointDict],
    ) -> Joint: ...
    @overload
    def insert(
        self,
        element_name: Literal['freejoint'],
        position: int | None,
        **attributes: Unpack[_FreejointDict],
    ) -> Freejoint: ...
    @overload
    def insert(
        self, element_name: Literal['geom'], position: int | None, **attributes: Unpack[_GeomDict]
    ) -> Geom: ...
    @overload
    def insert(
        self,
        element_name: Literal['attach'],
        position: int | None,
        *,
        prefix: str,
        **attributes: Unpack[_AttachDict],
    ) -> Attach: ...
    @overload
    def insert(
        self, element_name: Literal['site'], position: int | None, **attributes: Unpack[_SiteDict]
    ) -> Site: ...
    @overload
    def insert(
        self,
        element_name: Literal['camera'],
        position: int | None,
        **attributes: Unpack[_CameraDict],
    ) -> Camera: ...
    @overload
    def insert(
        self,
        element_name: Literal['light'],
        position: int | None,
        **attributes: Unpack[_LightDict],
    ) -> Light: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['flexcomp'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_FlexcompDict],
    ) -> Flexcomp: ...
    @overload
    def insert(
        self, element_name: Literal['body'], position: int | None, **attributes: Unpack[_BodyDict]
    ) -> Body: ...
    @overload
    def insert(
        self,
        element_name: Literal['frame'],
        position: int | None,
        **attributes: Unpack[_FrameDict],
    ) -> Frame: ...
    @overload
    def insert(
        self,
        element_name: Literal['replicate'],
        position: int | None,
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...

class _ReplicateDict(TypedDict, total=False):
    sep: str | None
    offset: FloatsLike | None
    euler: FloatsLike | None
    childclass: AnyDefault | str | None

class Replicate(_Element):
    tag: ClassVar[Literal['replicate']]
    count: Required[int, IntLike]
    sep: Attribute[str, str]
    offset: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    childclass: Attribute[AnyDefault | str, AnyDefault | str]
    inertial: Child[Inertial | None]
    geom: Children[Geom]
    attach: Children[Attach]
    site: Children[Site]
    camera: Children[Camera]
    light: Children[Light]
    plugin: Children[Plugin]
    flexcomp: Children[Flexcomp]
    body: Children[Body]
    frame: Children[Frame]
    replicate: Children[Replicate]
    @property
    def parent(self) -> Worldbody | Body | Frame | Replicate | None: ...
    def set_attributes(
        self, *, count: IntLike = ..., **attributes: Unpack[_ReplicateDict]
    ) -> None: ...
    @overload
    def add(
        self,
        element_name: Literal['inertial'],
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def add(self, element_name: Literal['geom'], **attributes: Unpack[_GeomDict]) -> Geom: ...
    @overload
    def add(
        self, element_name: Literal['attach'], *, prefix: str, **attributes: Unpack[_AttachDict]
    ) -> Attach: ...
    @overload
    def add(self, element_name: Literal['site'], **attributes: Unpack[_SiteDict]) -> Site: ...
    @overload
    def add(
        self, element_name: Literal['camera'], **attributes: Unpack[_CameraDict]
    ) -> Camera: ...
    @overload
    def add(self, element_name: Literal['light'], **attributes: Unpack[_LightDict]) -> Light: ...
    @overload
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    @overload
    def add(
        self, element_name: Literal['flexcomp'], *, name: str, **attributes: Unpack[_FlexcompDict]
    ) -> Flexcomp: ...
    @overload
    def add(self, element_name: Literal['body'], **attributes: Unpack[_BodyDict]) -> Body: ...
    @overload
    def add(self, element_name: Literal['frame'], **attributes: Unpack[_FrameDict]) -> Frame: ...
    @overload
    def add(
        self,
        element_name: Literal['replicate'],
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...
    @overload
    def insert(
        self,
        element_name: Literal['inertial'],
        position: int | None,
        *,
        pos: FloatsLike,
        mass: FloatLike,
        **attributes: Unpack[_InertialDict],
    ) -> Inertial: ...
    @overload
    def insert(
        self, element_name: Literal['geom'], position: int | None, **attributes: Unpack[_GeomDict]
    ) -> Geom: ...
    @overload
    def insert(
        self,
        element_name: Literal['attach'],
        position: int | None,
        *,
        prefix: str,
        **attributes: Unpack[_AttachDict],
    ) -> Attach: ...
    @overload
    def insert(
        self, element_name: Literal['site'], position: int | None, **attributes: Unpack[_SiteDict]
    ) -> Site: ...
    @overload
    def insert(
        self,
        element_name: Literal['camera'],
        position: int | None,
        **attributes: Unpack[_CameraDict],
    ) -> Camera: ...
    @overload
    def insert(
        self,
        element_name: Literal['light'],
        position: int | None,
        **attributes: Unpack[_LightDict],
    ) -> Light: ...
    @overload
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...
    @overload
    def insert(
        self,
        element_name: Literal['flexcomp'],
        position: int | None,
        *,
        name: str,
        **attributes: Unpack[_FlexcompDict],
    ) -> Flexcomp: ...
    @overload
    def insert(
        self, element_name: Literal['body'], position: int | None, **attributes: Unpack[_BodyDict]
    ) -> Body: ...
    @overload
    def insert(
        self,
        element_name: Literal['frame'],
        position: int | None,
        **attributes: Unpack[_FrameDict],
    ) -> Frame: ...
    @overload
    def insert(
        self,
        element_name: Literal['replicate'],
        position: int | None,
        *,
        count: IntLike,
        **attributes: Unpack[_ReplicateDict],
    ) -> Replicate: ...

class _InertialDict(TypedDict, total=False):
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    diaginertia: FloatsLike | None
    fullinertia: FloatsLike | None

class Inertial(_Element):
    tag: ClassVar[Literal['inertial']]
    pos: Required[Floats, FloatsLike]
    """3 numbers."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    mass: Required[float, FloatLike]
    diaginertia: Attribute[Floats, FloatsLike]
    """3 numbers."""
    fullinertia: Attribute[Floats, FloatsLike]
    """6 numbers."""
    @property
    def parent(self) -> Body | Frame | Replicate | AttachmentFrame | None: ...
    def set_attributes(
        self, *, pos: FloatsLike = ..., mass: FloatLike = ..., **attributes: Unpack[_InertialDict]
    ) -> None: ...

class _JointDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    type: _JointType | None
    group: IntLike | None
    pos: FloatsLike | None
    axis: FloatsLike | None
    springdamper: FloatsLike | None
    solreflimit: FloatsLike | None
    solimplimit: FloatsLike | None
    solreffriction: FloatsLike | None
    solimpfriction: FloatsLike | None
    stiffness: FloatsLike | None
    range: FloatsLike | None
    limited: _FalseTrueAuto | bool | None
    actuatorfrcrange: FloatsLike | None
    actuatorfrclimited: _FalseTrueAuto | bool | None
    actuatorgravcomp: _FalseTrue | bool | None
    margin: FloatLike | None
    ref: FloatLike | None
    springref: FloatLike | None
    springyield: FloatLike | None
    armature: FloatLike | None
    damping: FloatsLike | None
    frictionloss: FloatLike | None
    user: FloatsLike | None

class Joint(_Element):
    tag: ClassVar[Literal['joint']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    type: Attribute[_JointType, _JointType]
    """Default `hinge`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    axis: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 1`."""
    springdamper: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    solreflimit: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimplimit: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimpfriction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    stiffness: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    limited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorfrcrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actuatorfrclimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorgravcomp: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    ref: Attribute[float, FloatLike]
    """Default `0`."""
    springref: Attribute[float, FloatLike]
    """Default `0`."""
    springyield: Attribute[float, FloatLike]
    """Default `0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    frictionloss: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Body | Frame | AttachmentFrame | None: ...
    def set_attributes(self, **attributes: Unpack[_JointDict]) -> None: ...

class _FreejointDict(TypedDict, total=False):
    name: str | None
    group: IntLike | None
    align: _FalseTrueAuto | bool | None

class Freejoint(_Element):
    tag: ClassVar[Literal['freejoint']]
    name: Attribute[str, str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    align: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    @property
    def parent(self) -> Body | Frame | AttachmentFrame | None: ...
    def set_attributes(self, **attributes: Unpack[_FreejointDict]) -> None: ...

class _LengthrangeDict(TypedDict, total=False):
    mode: _LengthrangeMode | None
    useexisting: _FalseTrue | bool | None
    uselimit: _FalseTrue | bool | None
    accel: FloatLike | None
    maxforce: FloatLike | None
    timeconst: FloatLike | None
    timestep: FloatLike | None
    inttotal: FloatLike | None
    interval: FloatLike | None
    tolrange: FloatLike | None

class Lengthrange(_Element):
    tag: ClassVar[Literal['lengthrange']]
    mode: Attribute[_LengthrangeMode, _LengthrangeMode]
    """Default `muscle`."""
    useexisting: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    uselimit: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    accel: Attribute[float, FloatLike]
    """Default `20`."""
    maxforce: Attribute[float, FloatLike]
    """Default `0`."""
    timeconst: Attribute[float, FloatLike]
    """Default `1`."""
    timestep: Attribute[float, FloatLike]
    """Default `0.01`."""
    inttotal: Attribute[float, FloatLike]
    """Default `10`."""
    interval: Attribute[float, FloatLike]
    """Default `2`."""
    tolrange: Attribute[float, FloatLike]
    """Default `0.05`."""
    @property
    def parent(self) -> Compiler | None: ...
    def set_attributes(self, **attributes: Unpack[_LengthrangeDict]) -> None: ...

class _FlagDict(TypedDict, total=False):
    constraint: _DisableEnable | None
    equality: _DisableEnable | None
    frictionloss: _DisableEnable | None
    limit: _DisableEnable | None
    contact: _DisableEnable | None
    spring: _DisableEnable | None
    damper: _DisableEnable | None
    gravity: _DisableEnable | None
    clampctrl: _DisableEnable | None
    warmstart: _DisableEnable | None
    filterparent: _DisableEnable | None
    actuation: _DisableEnable | None
    refsafe: _DisableEnable | None
    sensor: _DisableEnable | None
    midphase: _DisableEnable | None
    nativeccd: _DisableEnable | None
    island: _DisableEnable | None
    eulerdamp: _DisableEnable | None
    autoreset: _DisableEnable | None
    override: _DisableEnable | None
    energy: _DisableEnable | None
    fwdinv: _DisableEnable | None
    invdiscrete: _DisableEnable | None
    multiccd: _DisableEnable | None
    sleep: _DisableEnable | None
    diagexact: _DisableEnable | None
    ipc: _DisableEnable | None
    speculative: _DisableEnable | None

class Flag(_Element):
    tag: ClassVar[Literal['flag']]
    constraint: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    equality: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    frictionloss: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    limit: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    contact: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    spring: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    damper: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    gravity: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    clampctrl: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    warmstart: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    filterparent: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    actuation: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    refsafe: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    sensor: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    midphase: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    nativeccd: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    island: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    eulerdamp: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    autoreset: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    override: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    energy: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    fwdinv: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    invdiscrete: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    multiccd: Attribute[_DisableEnable, _DisableEnable]
    """Default `enable`."""
    sleep: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    diagexact: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    ipc: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    speculative: Attribute[_DisableEnable, _DisableEnable]
    """Default `disable`."""
    @property
    def parent(self) -> Option | None: ...
    def set_attributes(self, **attributes: Unpack[_FlagDict]) -> None: ...

class _GlobalDict(TypedDict, total=False):
    cameraid: IntLike | None
    orthographic: _FalseTrue | bool | None
    fovy: FloatLike | None
    ipd: FloatLike | None
    azimuth: FloatLike | None
    elevation: FloatLike | None
    linewidth: FloatLike | None
    glow: FloatLike | None
    realtime: FloatLike | None
    offwidth: IntLike | None
    offheight: IntLike | None
    ellipsoidinertia: _FalseTrue | bool | None
    bvactive: _FalseTrue | bool | None

class Global(_Element):
    tag: ClassVar[Literal['global']]
    cameraid: Attribute[int, IntLike]
    """Default `-1`."""
    orthographic: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    fovy: Attribute[float, FloatLike]
    """Default `45`."""
    ipd: Attribute[float, FloatLike]
    """Default `0.068`."""
    azimuth: Attribute[float, FloatLike]
    """Default `90`."""
    elevation: Attribute[float, FloatLike]
    """Default `-45`."""
    linewidth: Attribute[float, FloatLike]
    """Default `1`."""
    glow: Attribute[float, FloatLike]
    """Default `0.3`."""
    realtime: Attribute[float, FloatLike]
    """Default `1`."""
    offwidth: Attribute[int, IntLike]
    """Default `640`."""
    offheight: Attribute[int, IntLike]
    """Default `480`."""
    ellipsoidinertia: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    bvactive: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_GlobalDict]) -> None: ...

class _QualityDict(TypedDict, total=False):
    shadowsize: IntLike | None
    offsamples: IntLike | None
    numslices: IntLike | None
    numstacks: IntLike | None
    numquads: IntLike | None

class Quality(_Element):
    tag: ClassVar[Literal['quality']]
    shadowsize: Attribute[int, IntLike]
    """Default `4096`."""
    offsamples: Attribute[int, IntLike]
    """Default `4`."""
    numslices: Attribute[int, IntLike]
    """Default `28`."""
    numstacks: Attribute[int, IntLike]
    """Default `16`."""
    numquads: Attribute[int, IntLike]
    """Default `4`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_QualityDict]) -> None: ...

class _HeadlightDict(TypedDict, total=False):
    ambient: FloatsLike | None
    diffuse: FloatsLike | None
    specular: FloatsLike | None
    active: _HeadlightActive | bool | None

class Headlight(_Element):
    tag: ClassVar[Literal['headlight']]
    ambient: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.1 0.1 0.1`."""
    diffuse: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.4 0.4 0.4`."""
    specular: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.5 0.5 0.5`."""
    active: Attribute[_HeadlightActive, _HeadlightActive | bool]
    """Default `auto`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_HeadlightDict]) -> None: ...

class _MapDict(TypedDict, total=False):
    stiffness: FloatLike | None
    stiffnessrot: FloatLike | None
    force: FloatLike | None
    torque: FloatLike | None
    alpha: FloatLike | None
    fogstart: FloatLike | None
    fogend: FloatLike | None
    znear: FloatLike | None
    zfar: FloatLike | None
    haze: FloatLike | None
    shadowclip: FloatLike | None
    shadowscale: FloatLike | None
    actuatortendon: FloatLike | None

class Map(_Element):
    tag: ClassVar[Literal['map']]
    stiffness: Attribute[float, FloatLike]
    """Default `100`."""
    stiffnessrot: Attribute[float, FloatLike]
    """Default `500`."""
    force: Attribute[float, FloatLike]
    """Default `0.005`."""
    torque: Attribute[float, FloatLike]
    """Default `0.1`."""
    alpha: Attribute[float, FloatLike]
    """Default `0.3`."""
    fogstart: Attribute[float, FloatLike]
    """Default `3`."""
    fogend: Attribute[float, FloatLike]
    """Default `10`."""
    znear: Attribute[float, FloatLike]
    """Default `0.01`."""
    zfar: Attribute[float, FloatLike]
    """Default `50`."""
    haze: Attribute[float, FloatLike]
    """Default `0.3`."""
    shadowclip: Attribute[float, FloatLike]
    """Default `1`."""
    shadowscale: Attribute[float, FloatLike]
    """Default `0.6`."""
    actuatortendon: Attribute[float, FloatLike]
    """Default `2`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_MapDict]) -> None: ...

class _ScaleDict(TypedDict, total=False):
    forcewidth: FloatLike | None
    contactwidth: FloatLike | None
    contactheight: FloatLike | None
    connect: FloatLike | None
    com: FloatLike | None
    camera: FloatLike | None
    light: FloatLike | None
    selectpoint: FloatLike | None
    jointlength: FloatLike | None
    jointwidth: FloatLike | None
    actuatorlength: FloatLike | None
    actuatorwidth: FloatLike | None
    framelength: FloatLike | None
    framewidth: FloatLike | None
    constraint: FloatLike | None
    slidercrank: FloatLike | None
    frustum: FloatLike | None

class Scale(_Element):
    tag: ClassVar[Literal['scale']]
    forcewidth: Attribute[float, FloatLike]
    """Default `0.1`."""
    contactwidth: Attribute[float, FloatLike]
    """Default `0.3`."""
    contactheight: Attribute[float, FloatLike]
    """Default `0.1`."""
    connect: Attribute[float, FloatLike]
    """Default `0.2`."""
    com: Attribute[float, FloatLike]
    """Default `0.4`."""
    camera: Attribute[float, FloatLike]
    """Default `0.3`."""
    light: Attribute[float, FloatLike]
    """Default `0.3`."""
    selectpoint: Attribute[float, FloatLike]
    """Default `0.2`."""
    jointlength: Attribute[float, FloatLike]
    """Default `1.0`."""
    jointwidth: Attribute[float, FloatLike]
    """Default `0.1`."""
    actuatorlength: Attribute[float, FloatLike]
    """Default `0.7`."""
    actuatorwidth: Attribute[float, FloatLike]
    """Default `0.2`."""
    framelength: Attribute[float, FloatLike]
    """Default `1.0`."""
    framewidth: Attribute[float, FloatLike]
    """Default `0.1`."""
    constraint: Attribute[float, FloatLike]
    """Default `0.1`."""
    slidercrank: Attribute[float, FloatLike]
    """Default `0.2`."""
    frustum: Attribute[float, FloatLike]
    """Default `10`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_ScaleDict]) -> None: ...

class _RgbaDict(TypedDict, total=False):
    fog: FloatsLike | None
    haze: FloatsLike | None
    force: FloatsLike | None
    inertia: FloatsLike | None
    joint: FloatsLike | None
    actuator: FloatsLike | None
    actuatornegative: FloatsLike | None
    actuatorpositive: FloatsLike | None
    com: FloatsLike | None
    camera: FloatsLike | None
    light: FloatsLike | None
    selectpoint: FloatsLike | None
    connect: FloatsLike | None
    contactpoint: FloatsLike | None
    contactforce: FloatsLike | None
    contactfriction: FloatsLike | None
    contacttorque: FloatsLike | None
    contactgap: FloatsLike | None
    rangefinder: FloatsLike | None
    constraint: FloatsLike | None
    slidercrank: FloatsLike | None
    crankbroken: FloatsLike | None
    frustum: FloatsLike | None
    bv: FloatsLike | None
    bvactive: FloatsLike | None

class Rgba(_Element):
    tag: ClassVar[Literal['rgba']]
    fog: Attribute[Floats, FloatsLike]
    """4 numbers, default `0 0 0 1`."""
    haze: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 1 1 1`."""
    force: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0.5 0.5 1`."""
    inertia: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.8 0.2 0.2 0.6`."""
    joint: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.2 0.6 0.8 1`."""
    actuator: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.2 0.25 0.2 1`."""
    actuatornegative: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.2 0.6 0.9 1`."""
    actuatorpositive: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.4 0.2 1`."""
    com: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.9 0.9 1`."""
    camera: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.6 0.9 0.6 1`."""
    light: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.6 0.6 0.9 1`."""
    selectpoint: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.9 0.1 1`."""
    connect: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.2 0.2 0.8 1`."""
    contactpoint: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.6 0.2 1`."""
    contactforce: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.7 0.9 0.9 1`."""
    contactfriction: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.8 0.4 1`."""
    contacttorque: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0.7 0.9 1`."""
    contactgap: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.8 0.9 1`."""
    rangefinder: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 1 0.1 1`."""
    constraint: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0 0 1`."""
    slidercrank: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.3 0.8 1`."""
    crankbroken: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.9 0 0 1`."""
    frustum: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 1 0 0.2`."""
    bv: Attribute[Floats, FloatsLike]
    """4 numbers, default `0 1 0 0.5`."""
    bvactive: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0.5`."""
    @property
    def parent(self) -> Visual | None: ...
    def set_attributes(self, **attributes: Unpack[_RgbaDict]) -> None: ...

class ExtensionPlugin(_Element):
    tag: ClassVar[Literal['plugin']]
    plugin: Required[str, str]
    instance: Children[Instance]
    @property
    def parent(self) -> Extension | None: ...
    def set_attributes(self, *, plugin: str = ...) -> None: ...
    def add(self, element_name: Literal['instance'], *, name: str) -> Instance: ...
    def insert(
        self, element_name: Literal['instance'], position: int | None, *, name: str
    ) -> Instance: ...

class _MeshDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    content_type: str | None
    file: _File | str | None
    scale: FloatsLike | None
    inertia: _MeshInertia | None
    smoothnormal: _FalseTrue | bool | None
    maxhullvert: IntLike | None
    vertex: FloatsLike | None
    normal: FloatsLike | None
    texcoord: FloatsLike | None
    face: IntsLike | None
    refpos: FloatsLike | None
    refquat: FloatsLike | None
    builtin: _MeshBuiltin | None
    params: FloatsLike | None
    material: Material | str | None

class Mesh(_Element):
    tag: ClassVar[Literal['mesh']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    content_type: Attribute[str, str]
    file: Attribute[_File, _File | str]
    scale: Attribute[Floats, FloatsLike]
    """3 numbers, default `1 1 1`."""
    inertia: Attribute[_MeshInertia, _MeshInertia]
    """Default `legacy`."""
    smoothnormal: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    maxhullvert: Attribute[int, IntLike]
    """Default `-1`."""
    vertex: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    normal: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    texcoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    face: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    refpos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    refquat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    builtin: Attribute[_MeshBuiltin, _MeshBuiltin]
    """Default `none`."""
    params: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    material: Attribute[Material | str, Material | str]
    plugin: Children[Plugin]
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(self, **attributes: Unpack[_MeshDict]) -> None: ...
    def add(
        self, element_name: Literal['plugin'], **attributes: Unpack[_PluginDict]
    ) -> Plugin: ...
    def insert(
        self,
        element_name: Literal['plugin'],
        position: int | None,
        **attributes: Unpack[_PluginDict],
    ) -> Plugin: ...

class _HfieldDict(TypedDict, total=False):
    name: str | None
    content_type: str | None
    file: _File | str | None
    nrow: IntLike | None
    ncol: IntLike | None
    elevation: FloatsLike | None

class Hfield(_Element):
    tag: ClassVar[Literal['hfield']]
    name: Attribute[str, str]
    content_type: Attribute[str, str]
    file: Attribute[_File, _File | str]
    nrow: Attribute[int, IntLike]
    """Default `0`."""
    ncol: Attribute[int, IntLike]
    """Default `0`."""
    elevation: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    size: Required[Floats, FloatsLike]
    """4 numbers."""
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(
        self, *, size: FloatsLike = ..., **attributes: Unpack[_HfieldDict]
    ) -> None: ...

class _SkinDict(TypedDict, total=False):
    name: str | None
    file: _File | str | None
    vertex: FloatsLike | None
    texcoord: FloatsLike | None
    face: IntsLike | None
    inflate: FloatLike | None
    material: Material | str | None
    rgba: FloatsLike | None
    group: IntLike | None

class Skin(_Element):
    tag: ClassVar[Literal['skin']]
    name: Attribute[str, str]
    file: Attribute[_File, _File | str]
    vertex: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    texcoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    face: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    inflate: Attribute[float, FloatLike]
    """Default `0`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    bone: Children[Bone]
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(self, **attributes: Unpack[_SkinDict]) -> None: ...
    def add(
        self,
        element_name: Literal['bone'],
        *,
        body: AnyBody | str,
        bindpos: FloatsLike,
        bindquat: FloatsLike,
        vertid: IntsLike,
        vertweight: FloatsLike,
    ) -> Bone: ...
    def insert(
        self,
        element_name: Literal['bone'],
        position: int | None,
        *,
        body: AnyBody | str,
        bindpos: FloatsLike,
        bindquat: FloatsLike,
        vertid: IntsLike,
        vertweight: FloatsLike,
    ) -> Bone: ...

class _TextureDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    type: _2dCubeSkybox | None
    colorspace: _AutoLinearSRGB | None
    content_type: str | None
    file: _File | str | None
    gridsize: IntsLike | None
    gridlayout: str | None
    fileright: _File | str | None
    fileleft: _File | str | None
    fileup: _File | str | None
    filedown: _File | str | None
    filefront: _File | str | None
    fileback: _File | str | None
    builtin: _TextureBuiltin | None
    rgb1: FloatsLike | None
    rgb2: FloatsLike | None
    mark: _TextureMark | None
    markrgb: FloatsLike | None
    random: FloatLike | None
    width: IntLike | None
    height: IntLike | None
    hflip: _FalseTrue | bool | None
    vflip: _FalseTrue | bool | None
    nchannel: IntLike | None
    embed: _FalseTrueAuto | bool | None

class Texture(_Element):
    tag: ClassVar[Literal['texture']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    type: Attribute[_2dCubeSkybox, _2dCubeSkybox]
    """Default `cube`."""
    colorspace: Attribute[_AutoLinearSRGB, _AutoLinearSRGB]
    """Default `auto`."""
    content_type: Attribute[str, str]
    file: Attribute[_File, _File | str]
    gridsize: Attribute[Ints, IntsLike]
    """2 numbers, default `1 1`."""
    gridlayout: Attribute[str, str]
    """Default `............`."""
    fileright: Attribute[_File, _File | str]
    fileleft: Attribute[_File, _File | str]
    fileup: Attribute[_File, _File | str]
    filedown: Attribute[_File, _File | str]
    filefront: Attribute[_File, _File | str]
    fileback: Attribute[_File, _File | str]
    builtin: Attribute[_TextureBuiltin, _TextureBuiltin]
    """Default `none`."""
    rgb1: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.8 0.8 0.8`."""
    rgb2: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.5 0.5 0.5`."""
    mark: Attribute[_TextureMark, _TextureMark]
    """Default `none`."""
    markrgb: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    random: Attribute[float, FloatLike]
    """Default `0.01`."""
    width: Attribute[int, IntLike]
    """Default `0`."""
    height: Attribute[int, IntLike]
    """Default `0`."""
    hflip: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    vflip: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    nchannel: Attribute[int, IntLike]
    """Default `3`."""
    embed: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(self, **attributes: Unpack[_TextureDict]) -> None: ...

class _MaterialDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    texture: Texture | str | None
    texrepeat: FloatsLike | None
    texuniform: _FalseTrue | bool | None
    emission: FloatLike | None
    specular: FloatLike | None
    shininess: FloatLike | None
    reflectance: FloatLike | None
    metallic: FloatLike | None
    roughness: FloatLike | None
    rgba: FloatsLike | None

class Material(_Element):
    tag: ClassVar[Literal['material']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    texture: Attribute[Texture | str, Texture | str]
    texrepeat: Attribute[Floats, FloatsLike]
    """2 numbers, default `1 1`."""
    texuniform: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    emission: Attribute[float, FloatLike]
    """Default `0`."""
    specular: Attribute[float, FloatLike]
    """Default `0.5`."""
    shininess: Attribute[float, FloatLike]
    """Default `0.5`."""
    reflectance: Attribute[float, FloatLike]
    """Default `0`."""
    metallic: Attribute[float, FloatLike]
    """Default `-1`."""
    roughness: Attribute[float, FloatLike]
    """Default `-1`."""
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 1 1 1`."""
    layer: Children[Layer]
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(self, **attributes: Unpack[_MaterialDict]) -> None: ...
    def add(
        self, element_name: Literal['layer'], *, texture: Texture | str, role: str
    ) -> Layer: ...
    def insert(
        self,
        element_name: Literal['layer'],
        position: int | None,
        *,
        texture: Texture | str,
        role: str,
    ) -> Layer: ...

class _ModelDict(TypedDict, total=False):
    name: str | None
    file: _File | str | None
    content_type: str | None

class Model(_Element):
    tag: ClassVar[Literal['model']]
    name: Attribute[str, str]
    file: Attribute[_File, _File | str]
    content_type: Attribute[str, str]
    @property
    def parent(self) -> Asset | None: ...
    def set_attributes(self, **attributes: Unpack[_ModelDict]) -> None: ...

class _FlexDict(TypedDict, total=False):
    name: str | None
    dim: IntLike | None
    radius: FloatLike | None
    vertex: FloatsLike | None
    texcoord: FloatsLike | None
    elemtexcoord: IntsLike | None
    flatskin: _TrueFalse | bool | None
    material: Material | str | None
    rgba: FloatsLike | None
    group: IntLike | None
    node: str | Iterable[AnyBody | str] | None
    nodecoord: FloatsLike | None
    cellcount: IntsLike | None
    dof: _FlexDof | None

class Flex(_Element):
    tag: ClassVar[Literal['flex']]
    name: Attribute[str, str]
    dim: Attribute[int, IntLike]
    """Default `2`."""
    radius: Attribute[float, FloatLike]
    """Default `0.005`."""
    body: Required[str, str | Iterable[AnyBody | str]]
    vertex: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    texcoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    elemtexcoord: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    element: Required[Ints, IntsLike]
    """Any number of numbers."""
    flatskin: Attribute[_TrueFalse, _TrueFalse | bool]
    """Default `false`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    node: Attribute[str, str | Iterable[AnyBody | str]]
    nodecoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    cellcount: Attribute[Ints, IntsLike]
    """3 numbers."""
    dof: Attribute[_FlexDof, _FlexDof]
    contact: Child[FlexcompContact]
    edge: Child[FlexEdge]
    elasticity: Child[Elasticity]
    @property
    def parent(self) -> Deformable | None: ...
    def set_attributes(
        self,
        *,
        body: str | Iterable[AnyBody | str] = ...,
        element: IntsLike = ...,
        **attributes: Unpack[_FlexDict],
    ) -> None: ...

class _DeformableSkinDict(TypedDict, total=False):
    name: str | None
    file: _File | str | None
    vertex: FloatsLike | None
    texcoord: FloatsLike | None
    face: IntsLike | None
    inflate: FloatLike | None
    material: Material | str | None
    rgba: FloatsLike | None
    group: IntLike | None

class DeformableSkin(_Element):
    tag: ClassVar[Literal['skin']]
    name: Attribute[str, str]
    file: Attribute[_File, _File | str]
    vertex: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    texcoord: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    face: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    inflate: Attribute[float, FloatLike]
    """Default `0`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    bone: Children[Bone]
    @property
    def parent(self) -> Deformable | None: ...
    def set_attributes(self, **attributes: Unpack[_DeformableSkinDict]) -> None: ...
    def add(
        self,
        element_name: Literal['bone'],
        *,
        body: AnyBody | str,
        bindpos: FloatsLike,
        bindquat: FloatsLike,
        vertid: IntsLike,
        vertweight: FloatsLike,
    ) -> Bone: ...
    def insert(
        self,
        element_name: Literal['bone'],
        position: int | None,
        *,
        body: AnyBody | str,
        bindpos: FloatsLike,
        bindquat: FloatsLike,
        vertid: IntsLike,
        vertweight: FloatsLike,
    ) -> Bone: ...

class _PairDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    geom1: Geom | str | None
    geom2: Geom | str | None
    condim: IntLike | None
    friction: FloatsLike | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    solreffriction: FloatsLike | None
    margin: FloatLike | None
    gap: FloatLike | None
    adhesion: FloatLike | None

class Pair(_Element):
    tag: ClassVar[Literal['pair']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    geom1: Attribute[Geom | str, Geom | str]
    geom2: Attribute[Geom | str, Geom | str]
    condim: Attribute[int, IntLike]
    """Default `3`."""
    friction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `1 1 0.005 0.0001 0.0001`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    gap: Attribute[float, FloatLike]
    """Default `0`."""
    adhesion: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Contact | None: ...
    def set_attributes(self, **attributes: Unpack[_PairDict]) -> None: ...

class _ExcludeDict(TypedDict, total=False):
    name: str | None

class Exclude(_Element):
    tag: ClassVar[Literal['exclude']]
    name: Attribute[str, str]
    body1: Required[AnyBody | str | None, AnyBody | str]
    body2: Required[AnyBody | str | None, AnyBody | str]
    @property
    def parent(self) -> Contact | None: ...
    def set_attributes(
        self,
        *,
        body1: AnyBody | str = ...,
        body2: AnyBody | str = ...,
        **attributes: Unpack[_ExcludeDict],
    ) -> None: ...

class _SpatialDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    limited: _FalseTrueAuto | bool | None
    actuatorfrclimited: _FalseTrueAuto | bool | None
    range: FloatsLike | None
    actuatorfrcrange: FloatsLike | None
    solreflimit: FloatsLike | None
    solimplimit: FloatsLike | None
    solreffriction: FloatsLike | None
    solimpfriction: FloatsLike | None
    margin: FloatLike | None
    frictionloss: FloatLike | None
    width: FloatLike | None
    material: Material | str | None
    rgba: FloatsLike | None
    springlength: FloatsLike | None
    stiffness: FloatsLike | None
    springyield: FloatLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    user: FloatsLike | None

class Spatial(_Element):
    tag: ClassVar[Literal['spatial']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    limited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorfrclimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actuatorfrcrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    solreflimit: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimplimit: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimpfriction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    frictionloss: Attribute[float, FloatLike]
    """Default `0`."""
    width: Attribute[float, FloatLike]
    """Default `0.003`."""
    material: Attribute[Material | str, Material | str]
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    springlength: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `-1 -1`."""
    stiffness: Attribute[Floats, FloatsLike]
    """1 to 3 numbers."""
    springyield: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Children[SpatialSite]
    geom: Children[SpatialGeom]
    pulley: Children[Pulley]
    @property
    def parent(self) -> Tendon | None: ...
    def set_attributes(self, **attributes: Unpack[_SpatialDict]) -> None: ...
    @overload
    def add(self, element_name: Literal['site'], *, site: Site | str) -> SpatialSite: ...
    @overload
    def add(
        self,
        element_name: Literal['geom'],
        *,
        geom: Geom | str,
        **attributes: Unpack[_SpatialGeomDict],
    ) -> SpatialGeom: ...
    @overload
    def add(self, element_name: Literal['pulley'], *, divisor: FloatLike) -> Pulley: ...
    @overload
    def insert(
        self, element_name: Literal['site'], position: int | None, *, site: Site | str
    ) -> SpatialSite: ...
    @overload
    def insert(
        self,
        element_name: Literal['geom'],
        position: int | None,
        *,
        geom: Geom | str,
        **attributes: Unpack[_SpatialGeomDict],
    ) -> SpatialGeom: ...
    @overload
    def insert(
        self, element_name: Literal['pulley'], position: int | None, *, divisor: FloatLike
    ) -> Pulley: ...

class _FixedDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    limited: _FalseTrueAuto | bool | None
    actuatorfrclimited: _FalseTrueAuto | bool | None
    range: FloatsLike | None
    actuatorfrcrange: FloatsLike | None
    solreflimit: FloatsLike | None
    solimplimit: FloatsLike | None
    solreffriction: FloatsLike | None
    solimpfriction: FloatsLike | None
    frictionloss: FloatLike | None
    margin: FloatLike | None
    springlength: FloatsLike | None
    stiffness: FloatsLike | None
    springyield: FloatLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    user: FloatsLike | None

class Fixed(_Element):
    tag: ClassVar[Literal['fixed']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    limited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorfrclimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actuatorfrcrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    solreflimit: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimplimit: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimpfriction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    frictionloss: Attribute[float, FloatLike]
    """Default `0`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    springlength: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `-1 -1`."""
    stiffness: Attribute[Floats, FloatsLike]
    """1 to 3 numbers."""
    springyield: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Children[FixedJoint]
    @property
    def parent(self) -> Tendon | None: ...
    def set_attributes(self, **attributes: Unpack[_FixedDict]) -> None: ...
    def add(
        self, element_name: Literal['joint'], *, joint: AnyJoint | str, coef: FloatLike
    ) -> FixedJoint: ...
    def insert(
        self,
        element_name: Literal['joint'],
        position: int | None,
        *,
        joint: AnyJoint | str,
        coef: FloatLike,
    ) -> FixedJoint: ...

class _ConnectDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    anchor: FloatsLike | None
    site1: Site | str | None
    site2: Site | str | None

class Connect(_Element):
    tag: ClassVar[Literal['connect']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    anchor: Attribute[Floats, FloatsLike]
    """3 numbers."""
    site1: Attribute[Site | str, Site | str]
    site2: Attribute[Site | str, Site | str]
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(self, **attributes: Unpack[_ConnectDict]) -> None: ...

class _WeldDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    relpose: FloatsLike | None
    anchor: FloatsLike | None
    site1: Site | str | None
    site2: Site | str | None
    torquescale: FloatLike | None

class Weld(_Element):
    tag: ClassVar[Literal['weld']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    relpose: Attribute[Floats, FloatsLike]
    """7 numbers, default `0 1 0 0 0 0 0`."""
    anchor: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    site1: Attribute[Site | str, Site | str]
    site2: Attribute[Site | str, Site | str]
    torquescale: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(self, **attributes: Unpack[_WeldDict]) -> None: ...

class _EqualityJointDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    joint2: AnyJoint | str | None
    polycoef: FloatsLike | None

class EqualityJoint(_Element):
    tag: ClassVar[Literal['joint']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    joint1: Required[AnyJoint | str | None, AnyJoint | str]
    joint2: Attribute[AnyJoint | str, AnyJoint | str]
    polycoef: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0 1 0 0 0`."""
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(
        self, *, joint1: AnyJoint | str = ..., **attributes: Unpack[_EqualityJointDict]
    ) -> None: ...

class _EqualityTendonDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    tendon2: AnyTendon | str | None
    polycoef: FloatsLike | None

class EqualityTendon(_Element):
    tag: ClassVar[Literal['tendon']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    tendon1: Required[AnyTendon | str | None, AnyTendon | str]
    tendon2: Attribute[AnyTendon | str, AnyTendon | str]
    polycoef: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0 1 0 0 0`."""
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(
        self, *, tendon1: AnyTendon | str = ..., **attributes: Unpack[_EqualityTendonDict]
    ) -> None: ...

class _EqualityFlexDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None

class EqualityFlex(_Element):
    tag: ClassVar[Literal['flex']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    flex: Required[AnyFlex | str | None, AnyFlex | str]
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(
        self, *, flex: AnyFlex | str = ..., **attributes: Unpack[_EqualityFlexDict]
    ) -> None: ...

class _FlexstrainDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    cell: IntsLike | None

class Flexstrain(_Element):
    tag: ClassVar[Literal['flexstrain']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    flex: Required[AnyFlex | str | None, AnyFlex | str]
    cell: Attribute[Ints, IntsLike]
    """3 numbers."""
    @property
    def parent(self) -> Equality | None: ...
    def set_attributes(
        self, *, flex: AnyFlex | str = ..., **attributes: Unpack[_FlexstrainDict]
    ) -> None: ...

class _GeneralDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    delay: FloatLike | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    actlimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    actrange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    site: Site | str | None
    refsite: Site | str | None
    body: AnyBody | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    user: FloatsLike | None
    actdim: IntLike | None
    dyntype: _GeneralDyntype | None
    gaintype: _GeneralGaintype | None
    biastype: _GeneralBiastype | None
    dynprm: FloatsLike | None
    gainprm: FloatsLike | None
    biasprm: FloatsLike | None
    velrange: FloatsLike | None
    ffrange: FloatsLike | None
    inheritrange: FloatLike | None
    input: str | None
    actearly: _FalseTrue | bool | None

class General(_Element):
    tag: ClassVar[Literal['general']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actlimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    body: Attribute[AnyBody | str, AnyBody | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    actdim: Attribute[int, IntLike]
    """Default `-1`."""
    dyntype: Attribute[_GeneralDyntype, _GeneralDyntype]
    """Default `none`."""
    gaintype: Attribute[_GeneralGaintype, _GeneralGaintype]
    """Default `fixed`."""
    biastype: Attribute[_GeneralBiastype, _GeneralBiastype]
    """Default `none`."""
    dynprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    gainprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    biasprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    velrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    ffrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[str, str]
    actearly: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_GeneralDict]) -> None: ...

class _MotorDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None

class Motor(_Element):
    tag: ClassVar[Literal['motor']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_MotorDict]) -> None: ...

class _PositionDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    timeconst: FloatLike | None
    inheritrange: FloatLike | None

class Position(_Element):
    tag: ClassVar[Literal['position']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    timeconst: Attribute[float, FloatLike]
    """Default `0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_PositionDict]) -> None: ...

class _VelocityDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    kv: FloatLike | None

class Velocity(_Element):
    tag: ClassVar[Literal['velocity']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    kv: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_VelocityDict]) -> None: ...

class _IntvelocityDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    actlimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    actrange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    inheritrange: FloatLike | None

class Intvelocity(_Element):
    tag: ClassVar[Literal['intvelocity']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actlimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_IntvelocityDict]) -> None: ...

class _OrientationDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    group: IntLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    delay: FloatLike | None
    forcelimited: _FalseTrueAuto | bool | None
    user: FloatsLike | None
    joint: AnyJoint | str | None
    site: Site | str | None
    refsite: Site | str | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    input: _ExpmapQuat | None

class Orientation(_Element):
    tag: ClassVar[Literal['orientation']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[_ExpmapQuat, _ExpmapQuat]
    """Default `expmap`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_OrientationDict]) -> None: ...

class _PidDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    delay: FloatLike | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    slidersite: Site | str | None
    cranksite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    ki: FloatLike | None
    imax: FloatLike | None
    slewmax: FloatLike | None
    input: str | None
    posrange: FloatsLike | None
    velrange: FloatsLike | None
    ffrange: FloatsLike | None
    inheritrange: FloatLike | None

class Pid(_Element):
    tag: ClassVar[Literal['pid']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    slidersite: Attribute[Site | str, Site | str]
    cranksite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    ki: Attribute[float, FloatLike]
    """Default `0`."""
    imax: Attribute[float, FloatLike]
    """Default `0`."""
    slewmax: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[str, str]
    """Default `pos vel`."""
    posrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    velrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    ffrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_PidDict]) -> None: ...

class _DamperDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    kv: FloatLike | None

class Damper(_Element):
    tag: ClassVar[Literal['damper']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    kv: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_DamperDict]) -> None: ...

class _CylinderDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    timeconst: FloatLike | None
    area: FloatLike | None
    diameter: FloatLike | None
    bias: FloatsLike | None

class Cylinder(_Element):
    tag: ClassVar[Literal['cylinder']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    timeconst: Attribute[float, FloatLike]
    """Default `1`."""
    area: Attribute[float, FloatLike]
    """Default `1`."""
    diameter: Attribute[float, FloatLike]
    bias: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_CylinderDict]) -> None: ...

class _MuscleDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    user: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    timeconst: FloatsLike | None
    tausmooth: FloatLike | None
    range: FloatsLike | None
    force: FloatLike | None
    scale: FloatLike | None
    lmin: FloatLike | None
    lmax: FloatLike | None
    vmax: FloatLike | None
    fpmax: FloatLike | None
    fvmax: FloatLike | None

class Muscle(_Element):
    tag: ClassVar[Literal['muscle']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    timeconst: Attribute[Floats, FloatsLike]
    """2 numbers, default `0.01 0.04`."""
    tausmooth: Attribute[float, FloatLike]
    """Default `0`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0.75 1.05`."""
    force: Attribute[float, FloatLike]
    """Default `-1`."""
    scale: Attribute[float, FloatLike]
    """Default `200`."""
    lmin: Attribute[float, FloatLike]
    """Default `0.5`."""
    lmax: Attribute[float, FloatLike]
    """Default `1.6`."""
    vmax: Attribute[float, FloatLike]
    """Default `1.5`."""
    fpmax: Attribute[float, FloatLike]
    """Default `1.3`."""
    fvmax: Attribute[float, FloatLike]
    """Default `1.2`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_MuscleDict]) -> None: ...

class _AdhesionDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    user: FloatsLike | None
    body: AnyBody | str | None
    gain: FloatLike | None

class Adhesion(_Element):
    tag: ClassVar[Literal['adhesion']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    body: Attribute[AnyBody | str, AnyBody | str]
    gain: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_AdhesionDict]) -> None: ...

class _DcmotorDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    ctrllimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    site: Site | str | None
    refsite: Site | str | None
    user: FloatsLike | None
    resistance: FloatLike | None
    motorconst: FloatsLike | None
    nominal: FloatsLike | None
    inductance: FloatsLike | None
    thermal: FloatsLike | None
    saturation: FloatsLike | None
    cogging: FloatsLike | None
    lugre: FloatsLike | None
    input: str | None
    controller: FloatsLike | None

class Dcmotor(_Element):
    tag: ClassVar[Literal['dcmotor']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    site: Attribute[Site | str, Site | str]
    refsite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    resistance: Attribute[float, FloatLike]
    motorconst: Attribute[Floats, FloatsLike]
    """1 to 2 numbers."""
    nominal: Attribute[Floats, FloatsLike]
    """1 to 3 numbers."""
    inductance: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    thermal: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `0 0 0 0 0 0`."""
    saturation: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    cogging: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    lugre: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0 0 0 0 0`."""
    input: Attribute[str, str]
    """Default `voltage`."""
    controller: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `0 0 0 0 0 0`."""
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_DcmotorDict]) -> None: ...

class _ActuatorPluginDict(TypedDict, total=False):
    name: str | None
    dclass: AnyDefault | str | None
    plugin: str | None
    instance: Instance | str | None
    dyntype: _GeneralDyntype | None
    actrange: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    actlimited: _FalseTrueAuto | bool | None
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    lengthrange: FloatsLike | None
    gear: FloatsLike | None
    cranklength: FloatLike | None
    joint: AnyJoint | str | None
    jointinparent: AnyJoint | str | None
    site: Site | str | None
    tendon: AnyTendon | str | None
    cranksite: Site | str | None
    slidersite: Site | str | None
    user: FloatsLike | None
    actdim: IntLike | None
    dynprm: FloatsLike | None
    actearly: _FalseTrue | bool | None
    damping: FloatsLike | None
    armature: FloatLike | None

class ActuatorPlugin(_Element):
    tag: ClassVar[Literal['plugin']]
    name: Attribute[str, str]
    dclass: Attribute[AnyDefault | str, AnyDefault | str]
    plugin: Attribute[str, str]
    instance: Attribute[Instance | str, Instance | str]
    dyntype: Attribute[_GeneralDyntype, _GeneralDyntype]
    """Default `none`."""
    actrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    actlimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    lengthrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    joint: Attribute[AnyJoint | str, AnyJoint | str]
    jointinparent: Attribute[AnyJoint | str, AnyJoint | str]
    site: Attribute[Site | str, Site | str]
    tendon: Attribute[AnyTendon | str, AnyTendon | str]
    cranksite: Attribute[Site | str, Site | str]
    slidersite: Attribute[Site | str, Site | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    actdim: Attribute[int, IntLike]
    """Default `-1`."""
    dynprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    actearly: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    config: Children[Config]
    @property
    def parent(self) -> Actuator | None: ...
    def set_attributes(self, **attributes: Unpack[_ActuatorPluginDict]) -> None: ...
    def add(self, element_name: Literal['config'], *, key: str, value: str) -> Config: ...
    def insert(
        self, element_name: Literal['config'], position: int | None, *, key: str, value: str
    ) -> Config: ...

class _TouchDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Touch(_Element):
    tag: ClassVar[Literal['touch']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_TouchDict]
    ) -> None: ...

class _AccelerometerDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Accelerometer(_Element):
    tag: ClassVar[Literal['accelerometer']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_AccelerometerDict]
    ) -> None: ...

class _VelocimeterDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Velocimeter(_Element):
    tag: ClassVar[Literal['velocimeter']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_VelocimeterDict]
    ) -> None: ...

class _GyroDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Gyro(_Element):
    tag: ClassVar[Literal['gyro']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_GyroDict]
    ) -> None: ...

class _ForceDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Force(_Element):
    tag: ClassVar[Literal['force']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_ForceDict]
    ) -> None: ...

class _TorqueDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Torque(_Element):
    tag: ClassVar[Literal['torque']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_TorqueDict]
    ) -> None: ...

class _MagnetometerDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Magnetometer(_Element):
    tag: ClassVar[Literal['magnetometer']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, site: Site | str = ..., **attributes: Unpack[_MagnetometerDict]
    ) -> None: ...

class _CamprojectionDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Camprojection(_Element):
    tag: ClassVar[Literal['camprojection']]
    name: Attribute[str, str]
    site: Required[Site | str | None, Site | str]
    camera: Required[Camera | str | None, Camera | str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        site: Site | str = ...,
        camera: Camera | str = ...,
        **attributes: Unpack[_CamprojectionDict],
    ) -> None: ...

class _RangefinderDict(TypedDict, total=False):
    name: str | None
    data: str | Iterable[_RangefinderData] | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    site: Site | str | None
    camera: Camera | str | None

class Rangefinder(_Element):
    tag: ClassVar[Literal['rangefinder']]
    name: Attribute[str, str]
    data: Attribute[str, str | Iterable[_RangefinderData]]
    """Default `dist`."""
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    site: Attribute[Site | str, Site | str]
    camera: Attribute[Camera | str, Camera | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_RangefinderDict]) -> None: ...

class _JointposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointpos(_Element):
    tag: ClassVar[Literal['jointpos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointposDict]
    ) -> None: ...

class _JointvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointvel(_Element):
    tag: ClassVar[Literal['jointvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointvelDict]
    ) -> None: ...

class _TendonposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonpos(_Element):
    tag: ClassVar[Literal['tendonpos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonposDict]
    ) -> None: ...

class _TendonvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonvel(_Element):
    tag: ClassVar[Literal['tendonvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonvelDict]
    ) -> None: ...

class _ActuatorposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Actuatorpos(_Element):
    tag: ClassVar[Literal['actuatorpos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    actuator: Required[AnyActuator | str | None, AnyActuator | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, actuator: AnyActuator | str = ..., **attributes: Unpack[_ActuatorposDict]
    ) -> None: ...

class _ActuatorvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Actuatorvel(_Element):
    tag: ClassVar[Literal['actuatorvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    actuator: Required[AnyActuator | str | None, AnyActuator | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, actuator: AnyActuator | str = ..., **attributes: Unpack[_ActuatorvelDict]
    ) -> None: ...

class _ActuatorfrcDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Actuatorfrc(_Element):
    tag: ClassVar[Literal['actuatorfrc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    actuator: Required[AnyActuator | str | None, AnyActuator | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, actuator: AnyActuator | str = ..., **attributes: Unpack[_ActuatorfrcDict]
    ) -> None: ...

class _JointactuatorfrcDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointactuatorfrc(_Element):
    tag: ClassVar[Literal['jointactuatorfrc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointactuatorfrcDict]
    ) -> None: ...

class _TendonactuatorfrcDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonactuatorfrc(_Element):
    tag: ClassVar[Literal['tendonactuatorfrc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonactuatorfrcDict]
    ) -> None: ...

class _BallquatDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Ballquat(_Element):
    tag: ClassVar[Literal['ballquat']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_BallquatDict]
    ) -> None: ...

class _BallangvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Ballangvel(_Element):
    tag: ClassVar[Literal['ballangvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_BallangvelDict]
    ) -> None: ...

class _JointlimitposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointlimitpos(_Element):
    tag: ClassVar[Literal['jointlimitpos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointlimitposDict]
    ) -> None: ...

class _JointlimitvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointlimitvel(_Element):
    tag: ClassVar[Literal['jointlimitvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointlimitvelDict]
    ) -> None: ...

class _JointlimitfrcDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Jointlimitfrc(_Element):
    tag: ClassVar[Literal['jointlimitfrc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, joint: AnyJoint | str = ..., **attributes: Unpack[_JointlimitfrcDict]
    ) -> None: ...

class _TendonlimitposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonlimitpos(_Element):
    tag: ClassVar[Literal['tendonlimitpos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonlimitposDict]
    ) -> None: ...

class _TendonlimitvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonlimitvel(_Element):
    tag: ClassVar[Literal['tendonlimitvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonlimitvelDict]
    ) -> None: ...

class _TendonlimitfrcDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tendonlimitfrc(_Element):
    tag: ClassVar[Literal['tendonlimitfrc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    tendon: Required[AnyTendon | str | None, AnyTendon | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, tendon: AnyTendon | str = ..., **attributes: Unpack[_TendonlimitfrcDict]
    ) -> None: ...

class _FrameposDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Framepos(_Element):
    tag: ClassVar[Literal['framepos']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FrameposDict],
    ) -> None: ...

class _FramequatDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Framequat(_Element):
    tag: ClassVar[Literal['framequat']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FramequatDict],
    ) -> None: ...

class _FramexaxisDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Framexaxis(_Element):
    tag: ClassVar[Literal['framexaxis']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FramexaxisDict],
    ) -> None: ...

class _FrameyaxisDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Frameyaxis(_Element):
    tag: ClassVar[Literal['frameyaxis']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FrameyaxisDict],
    ) -> None: ...

class _FramezaxisDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Framezaxis(_Element):
    tag: ClassVar[Literal['framezaxis']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FramezaxisDict],
    ) -> None: ...

class _FramelinvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Framelinvel(_Element):
    tag: ClassVar[Literal['framelinvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FramelinvelDict],
    ) -> None: ...

class _FrameangvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None

class Frameangvel(_Element):
    tag: ClassVar[Literal['frameangvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FrameangvelDict],
    ) -> None: ...

class _FramelinaccDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Framelinacc(_Element):
    tag: ClassVar[Literal['framelinacc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FramelinaccDict],
    ) -> None: ...

class _FrameangaccDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Frameangacc(_Element):
    tag: ClassVar[Literal['frameangacc']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_FrameangaccDict],
    ) -> None: ...

class _SubtreecomDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Subtreecom(_Element):
    tag: ClassVar[Literal['subtreecom']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    body: Required[AnyBody | str | None, AnyBody | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, body: AnyBody | str = ..., **attributes: Unpack[_SubtreecomDict]
    ) -> None: ...

class _SubtreelinvelDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Subtreelinvel(_Element):
    tag: ClassVar[Literal['subtreelinvel']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    body: Required[AnyBody | str | None, AnyBody | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, body: AnyBody | str = ..., **attributes: Unpack[_SubtreelinvelDict]
    ) -> None: ...

class _SubtreeangmomDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Subtreeangmom(_Element):
    tag: ClassVar[Literal['subtreeangmom']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    body: Required[AnyBody | str | None, AnyBody | str]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, body: AnyBody | str = ..., **attributes: Unpack[_SubtreeangmomDict]
    ) -> None: ...

class _InsidesiteDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    enclosed: _FalseTrue | bool | None

class Insidesite(_Element):
    tag: ClassVar[Literal['insidesite']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Required[_FrameposObjtype, _FrameposObjtype]
    objname: Required[Element | str | None, Element | str]
    site: Required[Site | str | None, Site | str]
    enclosed: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self,
        *,
        objtype: _FrameposObjtype = ...,
        objname: Element | str = ...,
        site: Site | str = ...,
        **attributes: Unpack[_InsidesiteDict],
    ) -> None: ...

class _DistanceDict(TypedDict, total=False):
    name: str | None
    cutoff: FloatLike | None
    geom1: Geom | str | None
    geom2: Geom | str | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    noise: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Distance(_Element):
    tag: ClassVar[Literal['distance']]
    name: Attribute[str, str]
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    geom1: Attribute[Geom | str, Geom | str]
    geom2: Attribute[Geom | str, Geom | str]
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_DistanceDict]) -> None: ...

class _NormalDict(TypedDict, total=False):
    name: str | None
    cutoff: FloatLike | None
    geom1: Geom | str | None
    geom2: Geom | str | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    noise: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Normal(_Element):
    tag: ClassVar[Literal['normal']]
    name: Attribute[str, str]
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    geom1: Attribute[Geom | str, Geom | str]
    geom2: Attribute[Geom | str, Geom | str]
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_NormalDict]) -> None: ...

class _FromtoDict(TypedDict, total=False):
    name: str | None
    cutoff: FloatLike | None
    geom1: Geom | str | None
    geom2: Geom | str | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    noise: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Fromto(_Element):
    tag: ClassVar[Literal['fromto']]
    name: Attribute[str, str]
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    geom1: Attribute[Geom | str, Geom | str]
    geom2: Attribute[Geom | str, Geom | str]
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_FromtoDict]) -> None: ...

class _SensorContactDict(TypedDict, total=False):
    name: str | None
    geom1: Geom | str | None
    geom2: Geom | str | None
    body1: AnyBody | str | None
    body2: AnyBody | str | None
    subtree1: AnyBody | str | None
    subtree2: AnyBody | str | None
    site: Site | str | None
    num: IntLike | None
    data: str | Iterable[_SensorContactData] | None
    reduce: _SensorContactReduce | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None
    noise: FloatLike | None

class SensorContact(_Element):
    tag: ClassVar[Literal['contact']]
    name: Attribute[str, str]
    geom1: Attribute[Geom | str, Geom | str]
    geom2: Attribute[Geom | str, Geom | str]
    body1: Attribute[AnyBody | str, AnyBody | str]
    body2: Attribute[AnyBody | str, AnyBody | str]
    subtree1: Attribute[AnyBody | str, AnyBody | str]
    subtree2: Attribute[AnyBody | str, AnyBody | str]
    site: Attribute[Site | str, Site | str]
    num: Attribute[int, IntLike]
    """Default `1`."""
    data: Attribute[str, str | Iterable[_SensorContactData]]
    """Default `found`."""
    reduce: Attribute[_SensorContactReduce, _SensorContactReduce]
    """Default `none`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_SensorContactDict]) -> None: ...

class _EPotentialDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class EPotential(_Element):
    tag: ClassVar[Literal['e_potential']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_EPotentialDict]) -> None: ...

class _EKineticDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class EKinetic(_Element):
    tag: ClassVar[Literal['e_kinetic']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_EKineticDict]) -> None: ...

class _ClockDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Clock(_Element):
    tag: ClassVar[Literal['clock']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_ClockDict]) -> None: ...

class _TactileDict(TypedDict, total=False):
    name: str | None
    cutoff: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    interval: FloatsLike | None
    delay: FloatLike | None
    user: FloatsLike | None

class Tactile(_Element):
    tag: ClassVar[Literal['tactile']]
    name: Attribute[str, str]
    geom: Required[Geom | str | None, Geom | str]
    mesh: Required[Mesh | str | None, Mesh | str]
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    interval: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(
        self, *, geom: Geom | str = ..., mesh: Mesh | str = ..., **attributes: Unpack[_TactileDict]
    ) -> None: ...

class _UserDict(TypedDict, total=False):
    name: str | None
    noise: FloatLike | None
    cutoff: FloatLike | None
    user: FloatsLike | None
    objtype: str | None
    objname: Element | str | None
    datatype: _UserDatatype | None
    needstage: _PosVelAcc | None

class User(_Element):
    tag: ClassVar[Literal['user']]
    name: Attribute[str, str]
    noise: Attribute[float, FloatLike]
    """Default `0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    objtype: Attribute[str, str]
    objname: Attribute[Element | str, Element | str]
    datatype: Attribute[_UserDatatype, _UserDatatype]
    """Default `real`."""
    needstage: Attribute[_PosVelAcc, _PosVelAcc]
    """Default `acc`."""
    dim: Required[int, IntLike]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, *, dim: IntLike = ..., **attributes: Unpack[_UserDict]) -> None: ...

class _SensorPluginDict(TypedDict, total=False):
    name: str | None
    plugin: str | None
    instance: Instance | str | None
    cutoff: FloatLike | None
    objtype: str | None
    objname: Element | str | None
    reftype: _FrameposObjtype | None
    refname: Element | str | None
    user: FloatsLike | None

class SensorPlugin(_Element):
    tag: ClassVar[Literal['plugin']]
    name: Attribute[str, str]
    plugin: Attribute[str, str]
    instance: Attribute[Instance | str, Instance | str]
    cutoff: Attribute[float, FloatLike]
    """Default `0`."""
    objtype: Attribute[str, str]
    objname: Attribute[Element | str, Element | str]
    reftype: Attribute[_FrameposObjtype, _FrameposObjtype]
    refname: Attribute[Element | str, Element | str]
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    config: Children[Config]
    @property
    def parent(self) -> Sensor | None: ...
    def set_attributes(self, **attributes: Unpack[_SensorPluginDict]) -> None: ...
    def add(self, element_name: Literal['config'], *, key: str, value: str) -> Config: ...
    def insert(
        self, element_name: Literal['config'], position: int | None, *, key: str, value: str
    ) -> Config: ...

class _NumericDict(TypedDict, total=False):
    size: IntLike | None
    data: FloatsLike | None

class Numeric(_Element):
    tag: ClassVar[Literal['numeric']]
    name: Required[str, str]
    size: Attribute[int, IntLike]
    data: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Custom | None: ...
    def set_attributes(self, *, name: str = ..., **attributes: Unpack[_NumericDict]) -> None: ...

class _TextDict(TypedDict, total=False):
    data: str | None

class Text(_Element):
    tag: ClassVar[Literal['text']]
    name: Required[str, str]
    data: Attribute[str, str]
    @property
    def parent(self) -> Custom | None: ...
    def set_attributes(self, *, name: str = ..., **attributes: Unpack[_TextDict]) -> None: ...

class Tuple(_Element):
    tag: ClassVar[Literal['tuple']]
    name: Required[str, str]
    element: Children[TupleElement]
    @property
    def parent(self) -> Custom | None: ...
    def set_attributes(self, *, name: str = ...) -> None: ...
    def add(
        self,
        element_name: Literal['element'],
        *,
        objtype: str,
        objname: Element | str,
        **attributes: Unpack[_TupleElementDict],
    ) -> TupleElement: ...
    def insert(
        self,
        element_name: Literal['element'],
        position: int | None,
        *,
        objtype: str,
        objname: Element | str,
        **attributes: Unpack[_TupleElementDict],
    ) -> TupleElement: ...

class _KeyDict(TypedDict, total=False):
    name: str | None
    time: FloatLike | None
    qpos: FloatsLike | None
    qvel: FloatsLike | None
    act: FloatsLike | None
    ctrl: FloatsLike | None
    mpos: FloatsLike | None
    mquat: FloatsLike | None
    plastic: FloatsLike | None

class Key(_Element):
    tag: ClassVar[Literal['key']]
    name: Attribute[str, str]
    time: Attribute[float, FloatLike]
    """Default `0`."""
    qpos: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    qvel: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    act: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    ctrl: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    mpos: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    mquat: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    plastic: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Keyframe | None: ...
    def set_attributes(self, **attributes: Unpack[_KeyDict]) -> None: ...

class _DefaultMeshDict(TypedDict, total=False):
    scale: FloatsLike | None
    maxhullvert: IntLike | None
    inertia: _MeshInertia | None

class DefaultMesh(_Element):
    tag: ClassVar[Literal['mesh']]
    scale: Attribute[Floats, FloatsLike]
    """3 numbers, default `1 1 1`."""
    maxhullvert: Attribute[int, IntLike]
    """Default `-1`."""
    inertia: Attribute[_MeshInertia, _MeshInertia]
    """Default `legacy`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultMeshDict]) -> None: ...

class _DefaultTextureDict(TypedDict, total=False):
    type: _2dCubeSkybox | None
    colorspace: _AutoLinearSRGB | None
    gridsize: IntsLike | None
    gridlayout: str | None
    builtin: _TextureBuiltin | None
    rgb1: FloatsLike | None
    rgb2: FloatsLike | None
    mark: _TextureMark | None
    markrgb: FloatsLike | None
    random: FloatLike | None
    width: IntLike | None
    height: IntLike | None
    hflip: _FalseTrue | bool | None
    vflip: _FalseTrue | bool | None
    nchannel: IntLike | None
    embed: _FalseTrueAuto | bool | None

class DefaultTexture(_Element):
    tag: ClassVar[Literal['texture']]
    type: Attribute[_2dCubeSkybox, _2dCubeSkybox]
    """Default `cube`."""
    colorspace: Attribute[_AutoLinearSRGB, _AutoLinearSRGB]
    """Default `auto`."""
    gridsize: Attribute[Ints, IntsLike]
    """2 numbers, default `1 1`."""
    gridlayout: Attribute[str, str]
    """Default `............`."""
    builtin: Attribute[_TextureBuiltin, _TextureBuiltin]
    """Default `none`."""
    rgb1: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.8 0.8 0.8`."""
    rgb2: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.5 0.5 0.5`."""
    mark: Attribute[_TextureMark, _TextureMark]
    """Default `none`."""
    markrgb: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    random: Attribute[float, FloatLike]
    """Default `0.01`."""
    width: Attribute[int, IntLike]
    """Default `0`."""
    height: Attribute[int, IntLike]
    """Default `0`."""
    hflip: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    vflip: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    nchannel: Attribute[int, IntLike]
    """Default `3`."""
    embed: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultTextureDict]) -> None: ...

class _DefaultMaterialDict(TypedDict, total=False):
    texture: Texture | str | None
    emission: FloatLike | None
    specular: FloatLike | None
    shininess: FloatLike | None
    reflectance: FloatLike | None
    metallic: FloatLike | None
    roughness: FloatLike | None
    rgba: FloatsLike | None
    texrepeat: FloatsLike | None
    texuniform: _FalseTrue | bool | None

class DefaultMaterial(_Element):
    tag: ClassVar[Literal['material']]
    texture: Attribute[Texture | str, Texture | str]
    emission: Attribute[float, FloatLike]
    """Default `0`."""
    specular: Attribute[float, FloatLike]
    """Default `0.5`."""
    shininess: Attribute[float, FloatLike]
    """Default `0.5`."""
    reflectance: Attribute[float, FloatLike]
    """Default `0`."""
    metallic: Attribute[float, FloatLike]
    """Default `-1`."""
    roughness: Attribute[float, FloatLike]
    """Default `-1`."""
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 1 1 1`."""
    texrepeat: Attribute[Floats, FloatsLike]
    """2 numbers, default `1 1`."""
    texuniform: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    layer: Children[Layer]
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultMaterialDict]) -> None: ...
    def add(
        self, element_name: Literal['layer'], *, texture: Texture | str, role: str
    ) -> Layer: ...
    def insert(
        self,
        element_name: Literal['layer'],
        position: int | None,
        *,
        texture: Texture | str,
        role: str,
    ) -> Layer: ...

class _DefaultJointDict(TypedDict, total=False):
    type: _JointType | None
    group: IntLike | None
    pos: FloatsLike | None
    axis: FloatsLike | None
    springdamper: FloatsLike | None
    limited: _FalseTrueAuto | bool | None
    actuatorfrclimited: _FalseTrueAuto | bool | None
    actuatorgravcomp: _FalseTrue | bool | None
    solreflimit: FloatsLike | None
    solimplimit: FloatsLike | None
    solreffriction: FloatsLike | None
    solimpfriction: FloatsLike | None
    stiffness: FloatsLike | None
    range: FloatsLike | None
    actuatorfrcrange: FloatsLike | None
    margin: FloatLike | None
    ref: FloatLike | None
    springref: FloatLike | None
    springyield: FloatLike | None
    armature: FloatLike | None
    damping: FloatsLike | None
    frictionloss: FloatLike | None
    user: FloatsLike | None

class DefaultJoint(_Element):
    tag: ClassVar[Literal['joint']]
    type: Attribute[_JointType, _JointType]
    """Default `hinge`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    axis: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 1`."""
    springdamper: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    limited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorfrclimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorgravcomp: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    solreflimit: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimplimit: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimpfriction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    stiffness: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actuatorfrcrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    ref: Attribute[float, FloatLike]
    """Default `0`."""
    springref: Attribute[float, FloatLike]
    """Default `0`."""
    springyield: Attribute[float, FloatLike]
    """Default `0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    frictionloss: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultJointDict]) -> None: ...

class _DefaultGeomDict(TypedDict, total=False):
    type: _GeomType | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    contype: IntLike | None
    conaffinity: IntLike | None
    condim: IntLike | None
    group: IntLike | None
    priority: IntLike | None
    size: FloatsLike | None
    material: Material | str | None
    friction: FloatsLike | None
    mass: FloatLike | None
    density: FloatLike | None
    shellinertia: _FalseTrue | bool | None
    solmix: FloatLike | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    margin: FloatLike | None
    gap: FloatLike | None
    surfacevel: FloatsLike | None
    adhesion: FloatLike | None
    fromto: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    hfield: Hfield | str | None
    mesh: Mesh | str | None
    fitscale: FloatLike | None
    rgba: FloatsLike | None
    castshadow: _FalseTrue | bool | None
    fluidshape: _NoneEllipsoid | None
    fluidcoef: FloatsLike | None
    user: FloatsLike | None

class DefaultGeom(_Element):
    tag: ClassVar[Literal['geom']]
    type: Attribute[_GeomType, _GeomType]
    """Default `sphere`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    contype: Attribute[int, IntLike]
    """Default `1`."""
    conaffinity: Attribute[int, IntLike]
    """Default `1`."""
    condim: Attribute[int, IntLike]
    """Default `3`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    priority: Attribute[int, IntLike]
    """Default `0`."""
    size: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    material: Attribute[Material | str, Material | str]
    friction: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `1 0.005 0.0001`."""
    mass: Attribute[float, FloatLike]
    density: Attribute[float, FloatLike]
    """Default `1000`."""
    shellinertia: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    solmix: Attribute[float, FloatLike]
    """Default `1`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    gap: Attribute[float, FloatLike]
    """Default `0`."""
    surfacevel: Attribute[Floats, FloatsLike]
    """1 to 6 numbers."""
    adhesion: Attribute[float, FloatLike]
    fromto: Attribute[Floats, FloatsLike]
    """6 numbers."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    hfield: Attribute[Hfield | str, Hfield | str]
    mesh: Attribute[Mesh | str, Mesh | str]
    fitscale: Attribute[float, FloatLike]
    """Default `1`."""
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    castshadow: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    fluidshape: Attribute[_NoneEllipsoid, _NoneEllipsoid]
    """Default `none`."""
    fluidcoef: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.5 0.25 1.5 1.0 1.0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultGeomDict]) -> None: ...

class _DefaultSiteDict(TypedDict, total=False):
    type: _SiteType | None
    group: IntLike | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    material: Material | str | None
    mesh: Mesh | str | None
    size: FloatsLike | None
    fromto: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    rgba: FloatsLike | None
    user: FloatsLike | None

class DefaultSite(_Element):
    tag: ClassVar[Literal['site']]
    type: Attribute[_SiteType, _SiteType]
    """Default `sphere`."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    material: Attribute[Material | str, Material | str]
    mesh: Attribute[Mesh | str, Mesh | str]
    size: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0.005 0.005 0.005`."""
    fromto: Attribute[Floats, FloatsLike]
    """6 numbers."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultSiteDict]) -> None: ...

class _DefaultCameraDict(TypedDict, total=False):
    projection: _PerspectiveOrthographic | None
    fovy: FloatLike | None
    resolution: IntsLike | None
    output: str | Iterable[_CameraOutput] | None
    ipd: FloatLike | None
    pos: FloatsLike | None
    quat: FloatsLike | None
    axisangle: FloatsLike | None
    xyaxes: FloatsLike | None
    zaxis: FloatsLike | None
    euler: FloatsLike | None
    mode: _CameraMode | None
    user: FloatsLike | None
    focal: FloatsLike | None
    focalpixel: FloatsLike | None
    principal: FloatsLike | None
    principalpixel: FloatsLike | None
    sensorsize: FloatsLike | None

class DefaultCamera(_Element):
    tag: ClassVar[Literal['camera']]
    projection: Attribute[_PerspectiveOrthographic, _PerspectiveOrthographic]
    """Default `perspective`."""
    fovy: Attribute[float, FloatLike]
    """Default `45`."""
    resolution: Attribute[Ints, IntsLike]
    """2 numbers, default `1 1`."""
    output: Attribute[str, str | Iterable[_CameraOutput]]
    """Default `rgb`."""
    ipd: Attribute[float, FloatLike]
    """Default `0.068`."""
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    quat: Attribute[Floats, FloatsLike]
    """4 numbers, default `1 0 0 0`."""
    axisangle: Attribute[Floats, FloatsLike]
    """4 numbers."""
    xyaxes: Attribute[Floats, FloatsLike]
    """6 numbers."""
    zaxis: Attribute[Floats, FloatsLike]
    """3 numbers."""
    euler: Attribute[Floats, FloatsLike]
    """3 numbers."""
    mode: Attribute[_CameraMode, _CameraMode]
    """Default `fixed`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    focal: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    focalpixel: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    principal: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    principalpixel: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    sensorsize: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultCameraDict]) -> None: ...

class _DefaultLightDict(TypedDict, total=False):
    pos: FloatsLike | None
    dir: FloatsLike | None
    type: _LightType | None
    directional: _FalseTrue | bool | None
    castshadow: _FalseTrue | bool | None
    active: _FalseTrue | bool | None
    diffuse: FloatsLike | None
    intensity: FloatLike | None
    ambient: FloatsLike | None
    specular: FloatsLike | None
    bulbradius: FloatLike | None
    range: FloatLike | None
    attenuation: FloatsLike | None
    cutoff: FloatLike | None
    softness: FloatLike | None
    exponent: FloatLike | None
    mode: _CameraMode | None

class DefaultLight(_Element):
    tag: ClassVar[Literal['light']]
    pos: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    dir: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 -1`."""
    type: Attribute[_LightType, _LightType]
    """Default `spot`."""
    directional: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    castshadow: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    diffuse: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.7 0.7 0.7`."""
    intensity: Attribute[float, FloatLike]
    """Default `0.0`."""
    ambient: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    specular: Attribute[Floats, FloatsLike]
    """3 numbers, default `0.3 0.3 0.3`."""
    bulbradius: Attribute[float, FloatLike]
    """Default `0.02`."""
    range: Attribute[float, FloatLike]
    """Default `10.0`."""
    attenuation: Attribute[Floats, FloatsLike]
    """3 numbers, default `1 0 0`."""
    cutoff: Attribute[float, FloatLike]
    """Default `45`."""
    softness: Attribute[float, FloatLike]
    """Default `0.2`."""
    exponent: Attribute[float, FloatLike]
    """Default `10`."""
    mode: Attribute[_CameraMode, _CameraMode]
    """Default `fixed`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultLightDict]) -> None: ...

class _DefaultPairDict(TypedDict, total=False):
    condim: IntLike | None
    friction: FloatsLike | None
    solref: FloatsLike | None
    solreffriction: FloatsLike | None
    solimp: FloatsLike | None
    gap: FloatLike | None
    margin: FloatLike | None
    adhesion: FloatLike | None

class DefaultPair(_Element):
    tag: ClassVar[Literal['pair']]
    condim: Attribute[int, IntLike]
    """Default `3`."""
    friction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `1 1 0.005 0.0001 0.0001`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    gap: Attribute[float, FloatLike]
    """Default `0`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    adhesion: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultPairDict]) -> None: ...

class _DefaultEqualityDict(TypedDict, total=False):
    active: _FalseTrue | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None

class DefaultEquality(_Element):
    tag: ClassVar[Literal['equality']]
    active: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `true`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultEqualityDict]) -> None: ...

class _DefaultTendonDict(TypedDict, total=False):
    group: IntLike | None
    limited: _FalseTrueAuto | bool | None
    actuatorfrclimited: _FalseTrueAuto | bool | None
    range: FloatsLike | None
    actuatorfrcrange: FloatsLike | None
    solreflimit: FloatsLike | None
    solimplimit: FloatsLike | None
    solreffriction: FloatsLike | None
    solimpfriction: FloatsLike | None
    frictionloss: FloatLike | None
    springlength: FloatsLike | None
    width: FloatLike | None
    material: Material | str | None
    margin: FloatLike | None
    stiffness: FloatsLike | None
    springyield: FloatLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    rgba: FloatsLike | None
    user: FloatsLike | None

class DefaultTendon(_Element):
    tag: ClassVar[Literal['tendon']]
    group: Attribute[int, IntLike]
    """Default `0`."""
    limited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actuatorfrclimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actuatorfrcrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    solreflimit: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimplimit: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    solreffriction: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimpfriction: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    frictionloss: Attribute[float, FloatLike]
    """Default `0`."""
    springlength: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `-1 -1`."""
    width: Attribute[float, FloatLike]
    """Default `0.003`."""
    material: Attribute[Material | str, Material | str]
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    stiffness: Attribute[Floats, FloatsLike]
    """1 to 3 numbers."""
    springyield: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    rgba: Attribute[Floats, FloatsLike]
    """4 numbers, default `0.5 0.5 0.5 1`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultTendonDict]) -> None: ...

class _DefaultGeneralDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    actlimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    actrange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    actdim: IntLike | None
    dyntype: _GeneralDyntype | None
    gaintype: _GeneralGaintype | None
    biastype: _GeneralBiastype | None
    dynprm: FloatsLike | None
    gainprm: FloatsLike | None
    biasprm: FloatsLike | None
    velrange: FloatsLike | None
    ffrange: FloatsLike | None
    inheritrange: FloatLike | None
    input: str | None
    actearly: _FalseTrue | bool | None

class DefaultGeneral(_Element):
    tag: ClassVar[Literal['general']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actlimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    actdim: Attribute[int, IntLike]
    """Default `-1`."""
    dyntype: Attribute[_GeneralDyntype, _GeneralDyntype]
    """Default `none`."""
    gaintype: Attribute[_GeneralGaintype, _GeneralGaintype]
    """Default `fixed`."""
    biastype: Attribute[_GeneralBiastype, _GeneralBiastype]
    """Default `none`."""
    dynprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    gainprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    biasprm: Attribute[Floats, FloatsLike]
    """1 to 10 numbers."""
    velrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    ffrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[str, str]
    actearly: Attribute[_FalseTrue, _FalseTrue | bool]
    """Default `false`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultGeneralDict]) -> None: ...

class _DefaultMotorDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None

class DefaultMotor(_Element):
    tag: ClassVar[Literal['motor']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultMotorDict]) -> None: ...

class _DefaultPositionDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    inheritrange: FloatLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    timeconst: FloatLike | None

class DefaultPosition(_Element):
    tag: ClassVar[Literal['position']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    timeconst: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultPositionDict]) -> None: ...

class _DefaultVelocityDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    kv: FloatLike | None

class DefaultVelocity(_Element):
    tag: ClassVar[Literal['velocity']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    kv: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultVelocityDict]) -> None: ...

class _DefaultIntvelocityDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    actlimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    actrange: FloatsLike | None
    inheritrange: FloatLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None

class DefaultIntvelocity(_Element):
    tag: ClassVar[Literal['intvelocity']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    actlimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    actrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultIntvelocityDict]) -> None: ...

class _DefaultOrientationDict(TypedDict, total=False):
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    user: FloatsLike | None
    group: IntLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    delay: FloatLike | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    input: _ExpmapQuat | None

class DefaultOrientation(_Element):
    tag: ClassVar[Literal['orientation']]
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[_ExpmapQuat, _ExpmapQuat]
    """Default `expmap`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultOrientationDict]) -> None: ...

class _DefaultPidDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    posrange: FloatsLike | None
    velrange: FloatsLike | None
    ffrange: FloatsLike | None
    forcerange: FloatsLike | None
    inheritrange: FloatLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    delay: FloatLike | None
    kp: FloatLike | None
    kv: FloatLike | None
    dampratio: FloatLike | None
    ki: FloatLike | None
    imax: FloatLike | None
    slewmax: FloatLike | None
    input: str | None

class DefaultPid(_Element):
    tag: ClassVar[Literal['pid']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    posrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    velrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    ffrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    inheritrange: Attribute[float, FloatLike]
    """Default `0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    kp: Attribute[float, FloatLike]
    """Default `1`."""
    kv: Attribute[float, FloatLike]
    """Default `0`."""
    dampratio: Attribute[float, FloatLike]
    """Default `0`."""
    ki: Attribute[float, FloatLike]
    """Default `0`."""
    imax: Attribute[float, FloatLike]
    """Default `0`."""
    slewmax: Attribute[float, FloatLike]
    """Default `0`."""
    input: Attribute[str, str]
    """Default `pos vel`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultPidDict]) -> None: ...

class _DefaultDamperDict(TypedDict, total=False):
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    kv: FloatLike | None

class DefaultDamper(_Element):
    tag: ClassVar[Literal['damper']]
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    kv: Attribute[float, FloatLike]
    """Default `1`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultDamperDict]) -> None: ...

class _DefaultCylinderDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    timeconst: FloatLike | None
    area: FloatLike | None
    diameter: FloatLike | None
    bias: FloatsLike | None

class DefaultCylinder(_Element):
    tag: ClassVar[Literal['cylinder']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    timeconst: Attribute[float, FloatLike]
    """Default `1`."""
    area: Attribute[float, FloatLike]
    """Default `1`."""
    diameter: Attribute[float, FloatLike]
    bias: Attribute[Floats, FloatsLike]
    """3 numbers, default `0 0 0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultCylinderDict]) -> None: ...

class _DefaultMuscleDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    timeconst: FloatsLike | None
    range: FloatsLike | None
    force: FloatLike | None
    scale: FloatLike | None
    lmin: FloatLike | None
    lmax: FloatLike | None
    vmax: FloatLike | None
    fpmax: FloatLike | None
    fvmax: FloatLike | None

class DefaultMuscle(_Element):
    tag: ClassVar[Literal['muscle']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    timeconst: Attribute[Floats, FloatsLike]
    """2 numbers, default `0.01 0.04`."""
    range: Attribute[Floats, FloatsLike]
    """2 numbers, default `0.75 1.05`."""
    force: Attribute[float, FloatLike]
    """Default `-1`."""
    scale: Attribute[float, FloatLike]
    """Default `200`."""
    lmin: Attribute[float, FloatLike]
    """Default `0.5`."""
    lmax: Attribute[float, FloatLike]
    """Default `1.6`."""
    vmax: Attribute[float, FloatLike]
    """Default `1.5`."""
    fpmax: Attribute[float, FloatLike]
    """Default `1.3`."""
    fvmax: Attribute[float, FloatLike]
    """Default `1.2`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultMuscleDict]) -> None: ...

class _DefaultAdhesionDict(TypedDict, total=False):
    forcelimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    forcerange: FloatsLike | None
    gain: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None

class DefaultAdhesion(_Element):
    tag: ClassVar[Literal['adhesion']]
    forcelimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    forcerange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gain: Attribute[float, FloatLike]
    """Default `1`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultAdhesionDict]) -> None: ...

class _DefaultDcmotorDict(TypedDict, total=False):
    ctrllimited: _FalseTrueAuto | bool | None
    ctrlrange: FloatsLike | None
    gear: FloatsLike | None
    damping: FloatsLike | None
    armature: FloatLike | None
    cranklength: FloatLike | None
    user: FloatsLike | None
    group: IntLike | None
    delay: FloatLike | None
    nsample: IntLike | None
    interp: _ZohLinearCubic | None
    motorconst: FloatsLike | None
    resistance: FloatLike | None
    nominal: FloatsLike | None
    saturation: FloatsLike | None
    inductance: FloatsLike | None
    cogging: FloatsLike | None
    controller: FloatsLike | None
    input: str | None
    thermal: FloatsLike | None
    lugre: FloatsLike | None

class DefaultDcmotor(_Element):
    tag: ClassVar[Literal['dcmotor']]
    ctrllimited: Attribute[_FalseTrueAuto, _FalseTrueAuto | bool]
    """Default `auto`."""
    ctrlrange: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    gear: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `1 0 0 0 0 0`."""
    damping: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    armature: Attribute[float, FloatLike]
    """Default `0`."""
    cranklength: Attribute[float, FloatLike]
    """Default `0`."""
    user: Attribute[Floats, FloatsLike]
    """Any number of numbers."""
    group: Attribute[int, IntLike]
    """Default `0`."""
    delay: Attribute[float, FloatLike]
    """Default `0`."""
    nsample: Attribute[int, IntLike]
    """Default `0`."""
    interp: Attribute[_ZohLinearCubic, _ZohLinearCubic]
    """Default `zoh`."""
    motorconst: Attribute[Floats, FloatsLike]
    """1 to 2 numbers."""
    resistance: Attribute[float, FloatLike]
    nominal: Attribute[Floats, FloatsLike]
    """1 to 3 numbers."""
    saturation: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    inductance: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0 0`."""
    cogging: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `0 0 0`."""
    controller: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `0 0 0 0 0 0`."""
    input: Attribute[str, str]
    """Default `voltage`."""
    thermal: Attribute[Floats, FloatsLike]
    """1 to 6 numbers, default `0 0 0 0 0 0`."""
    lugre: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0 0 0 0 0`."""
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, **attributes: Unpack[_DefaultDcmotorDict]) -> None: ...

class DefaultDefault(_Element):
    tag: ClassVar[Literal['default']]
    dclass: Required[str, str]
    default: Children[DefaultDefault]
    mesh: Child[DefaultMesh]
    texture: Child[DefaultTexture]
    material: Child[DefaultMaterial]
    joint: Child[DefaultJoint]
    geom: Child[DefaultGeom]
    site: Child[DefaultSite]
    camera: Child[DefaultCamera]
    light: Child[DefaultLight]
    pair: Child[DefaultPair]
    equality: Child[DefaultEquality]
    tendon: Child[DefaultTendon]
    general: Child[DefaultGeneral]
    motor: Child[DefaultMotor]
    position: Child[DefaultPosition]
    velocity: Child[DefaultVelocity]
    intvelocity: Child[DefaultIntvelocity]
    orientation: Child[DefaultOrientation]
    pid: Child[DefaultPid]
    damper: Child[DefaultDamper]
    cylinder: Child[DefaultCylinder]
    muscle: Child[DefaultMuscle]
    adhesion: Child[DefaultAdhesion]
    dcmotor: Child[DefaultDcmotor]
    @property
    def parent(self) -> Default | DefaultDefault | None: ...
    def set_attributes(self, *, dclass: str = ...) -> None: ...
    def add(self, element_name: Literal['default'], *, dclass: str) -> DefaultDefault: ...
    def insert(
        self, element_name: Literal['default'], position: int | None, *, dclass: str
    ) -> DefaultDefault: ...

class Config(_Element):
    tag: ClassVar[Literal['config']]
    key: Required[str, str]
    value: Required[str, str]
    @property
    def parent(self) -> Plugin | ActuatorPlugin | SensorPlugin | None: ...
    def set_attributes(self, *, key: str = ..., value: str = ...) -> None: ...

class _EdgeDict(TypedDict, total=False):
    equality: _FalseTrueStrain | bool | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    stiffness: FloatLike | None
    damping: FloatLike | None

class Edge(_Element):
    tag: ClassVar[Literal['edge']]
    equality: Attribute[_FalseTrueStrain, _FalseTrueStrain | bool]
    """Default `false`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    stiffness: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Flexcomp | None: ...
    def set_attributes(self, **attributes: Unpack[_EdgeDict]) -> None: ...

class _ElasticityDict(TypedDict, total=False):
    young: FloatLike | None
    poisson: FloatLike | None
    shear: FloatLike | None
    damping: FloatLike | None
    thickness: FloatLike | None
    elastic2d: _ElasticityElastic2d | None
    section: _CircleBox | None
    sectionsize: FloatsLike | None

class Elasticity(_Element):
    tag: ClassVar[Literal['elasticity']]
    young: Attribute[float, FloatLike]
    """Default `0`."""
    poisson: Attribute[float, FloatLike]
    """Default `0`."""
    shear: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[float, FloatLike]
    """Default `0`."""
    thickness: Attribute[float, FloatLike]
    """Default `-1`."""
    elastic2d: Attribute[_ElasticityElastic2d, _ElasticityElastic2d]
    """Default `none`."""
    section: Attribute[_CircleBox, _CircleBox]
    """Default `circle`."""
    sectionsize: Attribute[Floats, FloatsLike]
    """2 numbers, default `0 0`."""
    @property
    def parent(self) -> Flexcomp | Flex | None: ...
    def set_attributes(self, **attributes: Unpack[_ElasticityDict]) -> None: ...

class _FlexcompContactDict(TypedDict, total=False):
    selfcollide: _FlexcompContactSelfcollide | None
    activelayers: IntLike | None
    contype: IntLike | None
    conaffinity: IntLike | None
    condim: IntLike | None
    priority: IntLike | None
    friction: FloatsLike | None
    solmix: FloatLike | None
    solref: FloatsLike | None
    solimp: FloatsLike | None
    margin: FloatLike | None
    gap: FloatLike | None
    passive: _TrueFalse | bool | None

class FlexcompContact(_Element):
    tag: ClassVar[Literal['contact']]
    selfcollide: Attribute[_FlexcompContactSelfcollide, _FlexcompContactSelfcollide]
    """Default `auto`."""
    activelayers: Attribute[int, IntLike]
    """Default `1`."""
    contype: Attribute[int, IntLike]
    """Default `1`."""
    conaffinity: Attribute[int, IntLike]
    """Default `1`."""
    condim: Attribute[int, IntLike]
    """Default `3`."""
    priority: Attribute[int, IntLike]
    """Default `0`."""
    friction: Attribute[Floats, FloatsLike]
    """1 to 3 numbers, default `1 0.005 0.0001`."""
    solmix: Attribute[float, FloatLike]
    """Default `1`."""
    solref: Attribute[Floats, FloatsLike]
    """1 to 2 numbers, default `0.02 1`."""
    solimp: Attribute[Floats, FloatsLike]
    """1 to 5 numbers, default `0.9 0.95 0.001 0.5 2`."""
    margin: Attribute[float, FloatLike]
    """Default `0`."""
    gap: Attribute[float, FloatLike]
    """Default `0`."""
    passive: Attribute[_TrueFalse, _TrueFalse | bool]
    """Default `false`."""
    @property
    def parent(self) -> Flexcomp | Flex | None: ...
    def set_attributes(self, **attributes: Unpack[_FlexcompContactDict]) -> None: ...

class _PinDict(TypedDict, total=False):
    id: IntsLike | None
    range: IntsLike | None
    grid: IntsLike | None
    gridrange: IntsLike | None

class Pin(_Element):
    tag: ClassVar[Literal['pin']]
    id: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    range: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    grid: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    gridrange: Attribute[Ints, IntsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Flexcomp | None: ...
    def set_attributes(self, **attributes: Unpack[_PinDict]) -> None: ...

class Instance(_Element):
    tag: ClassVar[Literal['instance']]
    name: Required[str, str]
    config: Children[InstanceConfig]
    @property
    def parent(self) -> ExtensionPlugin | None: ...
    def set_attributes(self, *, name: str = ...) -> None: ...
    def add(
        self, element_name: Literal['config'], **attributes: Unpack[_InstanceConfigDict]
    ) -> InstanceConfig: ...
    def insert(
        self,
        element_name: Literal['config'],
        position: int | None,
        **attributes: Unpack[_InstanceConfigDict],
    ) -> InstanceConfig: ...

class Bone(_Element):
    tag: ClassVar[Literal['bone']]
    body: Required[AnyBody | str | None, AnyBody | str]
    bindpos: Required[Floats, FloatsLike]
    """3 numbers."""
    bindquat: Required[Floats, FloatsLike]
    """4 numbers."""
    vertid: Required[Ints, IntsLike]
    """Any number of numbers."""
    vertweight: Required[Floats, FloatsLike]
    """Any number of numbers."""
    @property
    def parent(self) -> Skin | DeformableSkin | None: ...
    def set_attributes(
        self,
        *,
        body: AnyBody | str = ...,
        bindpos: FloatsLike = ...,
        bindquat: FloatsLike = ...,
        vertid: IntsLike = ...,
        vertweight: FloatsLike = ...,
    ) -> None: ...

class Layer(_Element):
    tag: ClassVar[Literal['layer']]
    texture: Required[Texture | str | None, Texture | str]
    role: Required[str, str]
    @property
    def parent(self) -> Material | DefaultMaterial | None: ...
    def set_attributes(self, *, texture: Texture | str = ..., role: str = ...) -> None: ...

class _FlexEdgeDict(TypedDict, total=False):
    stiffness: FloatLike | None
    damping: FloatLike | None

class FlexEdge(_Element):
    tag: ClassVar[Literal['edge']]
    stiffness: Attribute[float, FloatLike]
    """Default `0`."""
    damping: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Flex | None: ...
    def set_attributes(self, **attributes: Unpack[_FlexEdgeDict]) -> None: ...

class SpatialSite(_Element):
    tag: ClassVar[Literal['site']]
    site: Required[Site | str | None, Site | str]
    @property
    def parent(self) -> Spatial | None: ...
    def set_attributes(self, *, site: Site | str = ...) -> None: ...

class _SpatialGeomDict(TypedDict, total=False):
    sidesite: Site | str | None

class SpatialGeom(_Element):
    tag: ClassVar[Literal['geom']]
    geom: Required[Geom | str | None, Geom | str]
    sidesite: Attribute[Site | str, Site | str]
    @property
    def parent(self) -> Spatial | None: ...
    def set_attributes(
        self, *, geom: Geom | str = ..., **attributes: Unpack[_SpatialGeomDict]
    ) -> None: ...

class Pulley(_Element):
    tag: ClassVar[Literal['pulley']]
    divisor: Required[float, FloatLike]
    @property
    def parent(self) -> Spatial | None: ...
    def set_attributes(self, *, divisor: FloatLike = ...) -> None: ...

class FixedJoint(_Element):
    tag: ClassVar[Literal['joint']]
    joint: Required[AnyJoint | str | None, AnyJoint | str]
    coef: Required[float, FloatLike]
    @property
    def parent(self) -> Fixed | None: ...
    def set_attributes(self, *, joint: AnyJoint | str = ..., coef: FloatLike = ...) -> None: ...

class _TupleElementDict(TypedDict, total=False):
    prm: FloatLike | None

class TupleElement(_Element):
    tag: ClassVar[Literal['element']]
    objtype: Required[str, str]
    objname: Required[Element | str | None, Element | str]
    prm: Attribute[float, FloatLike]
    """Default `0`."""
    @property
    def parent(self) -> Tuple | None: ...
    def set_attributes(
        self,
        *,
        objtype: str = ...,
        objname: Element | str = ...,
        **attributes: Unpack[_TupleElementDict],
    ) -> None: ...

class _InstanceConfigDict(TypedDict, total=False):
    key: str | None
    value: str | None

class InstanceConfig(_Element):
    tag: ClassVar[Literal['config']]
    key: Attribute[str, str]
    value: Attribute[str, str]
    @property
    def parent(self) -> Instance | None: ...
    def set_attributes(self, **attributes: Unpack[_InstanceConfigDict]) -> None: ...
