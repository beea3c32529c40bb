"""Keywords of the schema, tried with MuJoCo's own parser."""

import mujoco
import pytest

from mujoco_ros_py.mjcf import schema

MODELS = {
    'compiler@angle': '<compiler {}/>',
    'compiler@inertiafromgeom': '<compiler {}/>',
    'option@integrator': '<option {}/>',
    'option@solver': '<option {}/>',
    'option/flag@energy': '<option><flag {}/></option>',
    'visual/headlight@active': '<visual><headlight {}/></visual>',
    'default/geom@type': '<default><geom {}/></default>',
    'default/general@dyntype': '<default><general {}/></default>',
    'asset/texture@builtin': '<asset><texture name="t" {}/></asset>',
    'asset/texture@type': '<asset><texture name="t" {}/></asset>',
    'asset/mesh@inertia': '<asset><mesh name="m" {}/></asset>',
    'asset/mesh@builtin': '<asset><mesh name="m" params="3 1 1 1 1" {}/></asset>',
    'worldbody/body@sleep': '<worldbody><body {}/></worldbody>',
    'worldbody/body/joint@type': '<worldbody><body><joint {}/></body></worldbody>',
    'worldbody/body/joint@limited': '<worldbody><body><joint {}/></body></worldbody>',
    'worldbody/geom@fluidshape': '<worldbody><geom {}/></worldbody>',
    'worldbody/camera@mode': '<worldbody><camera {}/></worldbody>',
    'worldbody/camera@output': '<worldbody><camera {}/></worldbody>',
    'worldbody/light@type': '<worldbody><light {}/></worldbody>',
    'equality/weld@active': '<equality><weld body1="b" {}/></equality>',
    'actuator/general@biastype': '<actuator><general {}/></actuator>',
    'actuator/motor@interp': '<actuator><motor {}/></actuator>',
    'sensor/contact@data': '<sensor><contact {}/></sensor>',
    'sensor/contact@reduce': '<sensor><contact {}/></sensor>',
    'sensor/framepos@objtype': '<sensor><framepos objname="b" {}/></sensor>',
    'sensor/rangefinder@data': '<sensor><rangefinder site="s" {}/></sensor>',
    'sensor/user@needstage': '<sensor><user dim="1" {}/></sensor>',
}


def parsers_error(place: str, word: str) -> str:
    name = place.rpartition('@')[2]
    try:
        mujoco.MjSpec.from_string(f'<mujoco>{MODELS[place].format(f"{name}={word!r}")}</mujoco>')
    except ValueError as error:
        return str(error)
    return ''


def is_refused(place: str, word: str) -> bool:
    error = parsers_error(place, word)
    return any(text in error for text in ('invalid keyword', 'problem reading', 'bad format'))


@pytest.mark.parametrize('place', MODELS)
def test_mujoco_takes_every_keyword_and_no_other_word(place):
    path, _, name = place.partition('@')
    spec = schema.root()
    for tag in path.split('/'):
        spec = spec.children[tag]
    keywords = spec.attributes[name].keywords
    if not keywords:
        pytest.skip('no keyword in this version')
    assert [word for word in keywords if is_refused(place, word)] == []
    assert is_refused(place, 'a-word')
