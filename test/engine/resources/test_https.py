"""https checks the certificate of a host."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.resources import Https, register

from .assets import check_robot
from .web import Site, refusal

pytestmark = pytest.mark.skipif(not shutil.which('openssl'), reason='openssl makes certificates')


class EncryptedSite(Site):
    def __init__(self, name: str, folder: Path) -> None:
        """Serves with a self-signed certificate for a host of this name."""
        super().__init__()
        self.certificate, key = folder / 'certificate.pem', folder / 'key.pem'
        subprocess.run(
            ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
             '-nodes', '-days', '2', '-subj', '/CN=test', '-addext', f'subjectAltName={name}',
             '-out', str(self.certificate), '-keyout', str(key)],
            check=True, capture_output=True, timeout=DEADLINE_S,
        )  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def uri(self, path: str) -> str:
        return f'https://{self.host}/{path}'


@pytest.fixture
def site(request, monkeypatch, tmp_path) -> Iterator[EncryptedSite]:
    monkeypatch.setenv('no_proxy', '*')
    with EncryptedSite(getattr(request, 'param', 'IP:127.0.0.1'), tmp_path).served() as site:
        register(Https([site.host]))
        yield site


def test_a_host_whose_certificate_is_trusted_serves_a_model(site, monkeypatch):
    monkeypatch.setenv('SSL_CERT_FILE', str(site.certificate))
    check_robot(mujoco.MjModel.from_xml_path(site.uri('robot/main.xml')))


def test_a_host_whose_certificate_is_not_trusted_is_refused_with_the_reason(site):
    uri = site.uri('robot/main.xml')
    assert 'certificate verify failed: self' in refusal(uri)
    with pytest.raises(ValueError, match=f'{uri}: .*certificate verify failed: self'):
        mujoco.MjModel.from_xml_path(uri)
    assert not site.sent


@pytest.mark.parametrize('site', ['DNS:example.org'], indirect=True)
def test_a_trusted_certificate_of_another_host_is_refused(site, monkeypatch):
    monkeypatch.setenv('SSL_CERT_FILE', str(site.certificate))
    assert 'certificate is not valid for' in refusal(site.uri('robot/main.xml'))
    assert not site.sent
