"""A missing server: the test is skipped, or fails if all servers are required."""

import pytest

from tests.live.servers import program


def test_a_missing_server_skips_the_test_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REFEREE_REQUIRE_SERVERS", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Sendmail is not installed: apt install x y"):
        program("no-such-program", "Sendmail", "x y")


def test_a_missing_server_fails_the_test_where_it_is_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_REQUIRE_SERVERS", "1")
    with pytest.raises(pytest.fail.Exception, match="Sendmail is not installed"):
        program("no-such-program", "Sendmail", "x y")
