"""Hosts that several sessions of a process allow: each session has its own, and all are served."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from mujoco_ros_py.engine.resources import read, register_shipped
from mujoco_ros_py.errors import ModelError, ResourceError
from mujoco_ros_py.session import Session

EMPTY = '<mujoco/>'


def served() -> list[str]:
    """Returns the hosts that http and https serve, as the refusal of another one names them."""
    told = []
    for scheme in ('http', 'https'):
        with pytest.raises(ResourceError) as refused:
            read(f'{scheme}://of-nobody.org/model.xml')
        told.append(re.search("'of-nobody.org' is not allowed; allowed: (.*)", str(refused.value)))
    http, https = (found[1] for found in told if found)
    assert http == https
    return [] if http == 'none' else http.split(', ')


@pytest.fixture
def of_the_program() -> Iterator[str]:
    """Returns a host that the program itself allows."""
    register_shipped(['program.org'])
    yield 'program.org'
    register_shipped([])


def test_the_hosts_of_a_session_are_served_until_it_ends_whatever_other_sessions_do():
    with Session(mujoco_xml=EMPTY, http_hosts=['a.org']) as first:
        assert served() == ['a.org']
        with Session(mujoco_xml=EMPTY):
            assert served() == ['a.org'], 'a session without hosts takes none away'
        with Session(mujoco_xml=EMPTY, http_hosts=['a.org', 'b.org:80']) as second:
            assert served() == ['a.org', 'b.org:80'], 'those of both, for both'
            first.reload()
            second.reload()
            assert served() == ['a.org', 'b.org:80']
        assert served() == ['a.org'], 'a host of both stays for the one that is left'
    assert served() == []
    first.close()
    assert served() == []


def test_the_hosts_of_a_session_that_cannot_be_loaded_are_not_served():
    with pytest.raises(ModelError):
        Session('nothing.xml', http_hosts=['a.org'])
    assert served() == []


def test_sessions_leave_the_hosts_of_the_program_alone(of_the_program):
    with Session(mujoco_xml=EMPTY, http_hosts=['a.org']):
        assert served() == ['a.org', of_the_program]
    assert served() == [of_the_program]
