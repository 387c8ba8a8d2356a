"""The doctor's check of hooks, against a server with TLS."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.doctor.hooks import look_at_hooks
from referee.doctor.report import Severity
from referee.settings import load
from tests.mail.samples import CERTIFICATE
from tests.support.hook_server import HookServer, hook_server
from tests.support.hourly import SETTINGS

HOOK = """
[[hook]]
name = "friends"
url = "{url}"
secret_file = "hook.secret"
address = "127.0.0.1"
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HookServer]:
    with hook_server(tmp_path) as running:
        yield running


def seen(folder: Path, url: str, secret: str = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n") -> str:
    """Return the grade of the only finding, and its words."""
    (folder / "hook.secret").write_text(secret)
    (folder / "hook.secret").chmod(0o600)
    (folder / "referee.toml").write_text(SETTINGS + HOOK.format(url=url))
    (found,) = look_at_hooks(load(folder / "referee.toml"))
    return f"{found.grade.name}: {found.finding.what}"


def test_a_hook_that_answers_is_well(
    server: HookServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    well = "hook friends: its server answers, with a valid certificate"
    assert seen(tmp_path, server.url("/ok")) == f"{Severity.WELL.name}: {well}"
    # Nothing was posted.
    assert server.seen == []


def test_the_fault_of_a_hook_is_named(server: HookServer, tmp_path: Path) -> None:
    untrusted = seen(tmp_path, server.url("/ok"))
    assert untrusted.startswith("FAULT: hook friends: its certificate is not valid: ")
    gone = seen(tmp_path, "https://localhost:9/ok")
    assert gone.startswith("FAULT: hook friends: no connection: ")
    assert "secret" in seen(tmp_path, server.url("/ok"), "whsec_short\n")
    assert server.seen == []
