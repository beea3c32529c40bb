"""All functions and members of PyMJCF, with their arguments."""

from __future__ import annotations

import inspect

import pytest

from mujoco_ros_py import mjcf

MODEL = mjcf.RootElement()
BODY = MODEL.worldbody.add('body', name='b')
FRAME = MODEL.attach(mjcf.RootElement(model='child'))
ELEMENTS = {
    'root': MODEL,
    'worldbody': MODEL.worldbody,
    'body': BODY,
    'site': BODY.add('site'),
    'default': MODEL.default,
    'mesh': MODEL.asset.add('mesh', name='m', file=mjcf.Asset(b'', '.obj')),
    'frame': FRAME,
    'joint of a frame': FRAME.add('joint'),
}

READ = 'escape_separators=False, resolve_references=True'
READ_IN = "escape_separators=False, model_dir='', resolve_references=True, assets=None"
NUMBERS = '*, precision=17, zero_threshold=0'
FILES = f'{NUMBERS}, filename_with_hash=True'
FUNCTIONS = {
    'from_xml_string': f'xml_string, {READ_IN}',
    'from_file': f'file_handle, {READ_IN}',
    'from_path': f'path, {READ}, assets=None',
    'from_xml_file': f'path, {READ}, assets=None',
    'from_zip': "path, model_file='model.xml', " + READ,
    'export_with_assets': f'mjcf_model, out_dir, out_file_name=None, {NUMBERS}',
    'export_with_assets_as_zip': f'mjcf_model, out_dir, model_name=None, {NUMBERS}',
    'commit_defaults': 'element, attributes=None',
    'get_attachment_frame': 'mjcf_model',
    'get_frame_freejoint': 'mjcf_model',
    'get_frame_joints': 'mjcf_model',
    'get_freejoint': 'element',
    'Asset': "contents, extension, prefix=''",
    'RootElement': "model=None, model_dir='', assets=None",
}
METHODS = {
    'find': 'namespace, identifier',
    'find_all': 'namespace, immediate_children_only=False, exclude_attachments=False',
    'enter_scope': 'scope_identifier',
    'add': 'element_name, **kwargs',
    'insert': 'element_name, position, **kwargs',
    'remove': 'affect_attachments=False',
    'get_children': 'element_name',
    'all_children': '',
    'get_attributes': '',
    'set_attributes': '**kwargs',
    'get_attribute_xml_string': f'attribute_name, prefix_root=None, {NUMBERS}',
    'is_same_as': 'other',
    'prefixed_identifier': 'prefix_root',
    'resolve_references': '',
    'get_init_stack': '',
    'get_last_modified_stacks_for_all_attributes': '',
    'to_xml': f'prefix_root=None, debug_context=None, {FILES}',
    'to_xml_string': 'prefix_root=None, self_only=False, pretty_print=True,'
    f' debug_context=None, {FILES}',
}
METHODS_OF_MODELS = {
    'attach': 'other',
    'detach': '',
    'include_copy': 'other, override_attributes=False',
    'get_assets': '',
}
PROPERTIES = [
    'tag', 'spec', 'parent', 'namescope', 'root', 'full_identifier', 'is_removed',
]  # fmt: skip


def takes(documented: str, function: object) -> bool:
    """Returns whether the function accepts every call that the documented signature allows.

    Additional parameters must be optional and come last, or be keyword-only.
    """
    scope: dict[str, object] = {}
    exec(f'def function({documented}): pass', scope)
    wanted = list(inspect.signature(scope['function']).parameters.values())
    given = list(inspect.signature(function).parameters.values())
    by_name = {each.name: each for each in given}
    positional = [each.name for each in given if each.kind is each.POSITIONAL_OR_KEYWORD]
    for place, each in enumerate(wanted):
        if each.kind is each.VAR_KEYWORD:
            if not any(other.kind is each.kind for other in given):
                return False
            continue
        ours = by_name.pop(each.name, None)
        if ours is None or ours.kind is not each.kind:
            return False
        if each.default is not each.empty and ours.default != each.default:
            return False
        if each.kind is each.POSITIONAL_OR_KEYWORD and positional.index(each.name) != place:
            return False
    kinds = inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL
    return all(each.default is not each.empty or each.kind in kinds for each in by_name.values())


@pytest.mark.parametrize('name', FUNCTIONS)
def test_a_function_takes_what_pymjcf_s_takes(name):
    assert takes(FUNCTIONS[name], getattr(mjcf, name)), inspect.signature(getattr(mjcf, name))


@pytest.mark.parametrize('element', ELEMENTS)
@pytest.mark.parametrize('name', METHODS)
def test_a_method_of_any_element_takes_what_pymjcf_s_takes(element, name):
    method = getattr(ELEMENTS[element], name)
    assert takes(METHODS[name], method), inspect.signature(method)


@pytest.mark.parametrize('name', METHODS_OF_MODELS)
def test_a_method_of_a_model_takes_what_pymjcf_s_takes(name):
    method = getattr(MODEL, name)
    assert takes(METHODS_OF_MODELS[name], method), inspect.signature(method)


@pytest.mark.parametrize('element', ELEMENTS)
def test_every_element_has_the_properties_of_pymjcf(element):
    for name in PROPERTIES:
        getattr(ELEMENTS[element], name)
        with pytest.raises(AttributeError):
            setattr(ELEMENTS[element], name, None)


def test_arguments_that_differ_are_told_apart():
    assert takes('a, b=1', lambda a, b=1, c=2, *, d=3: None)
    for other in (
        lambda a: None,
        lambda b=1, a=2: None,
        lambda a, b=2: None,
        lambda a, b=1, *, d: None,
        lambda a, *, b=1: None,
        lambda a, c, b=1: None,
    ):
        assert not takes('a, b=1', other)


def test_what_is_not_called_is_there_too():
    assert mjcf.PREFIX_SEPARATOR == '/'
    assert mjcf.traversal_utils.commit_defaults is mjcf.commit_defaults
    assert issubclass(mjcf.RootElement, mjcf.Element)
    assert mjcf.Asset(b'', '.stl', 'cube').get_vfs_filename(filename_with_hash=False) == 'cube.stl'


def test_stacks_are_none_as_where_pymjcf_does_not_debug():
    assert BODY.get_init_stack() is None
    stacks = BODY.get_last_modified_stacks_for_all_attributes()
    assert list(stacks) == list(BODY.spec.attributes)
    assert set(stacks.values()) == {None}
