"""Settings: valid ones, and the messages for invalid ones."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from referee import resources
from referee.domain.tokens import LENGTH
from referee.errors import ResourceError, SettingsError
from referee.settings import MaildirSending, Settings, SmtpSending, load, read_secret
from referee.settings.loading import line_of, lines_of
from tests.support.kept_site import KEPT

HOUSE = '[site]\naddress = "games@example.org"\noperator = "you@example.org"\n'
IMAP = '[[imap]]\nname = "games"\nhost = "h"\nuser = "u"\npassword_file = "p"\n'
SENDING = '[sending]\nkind = "maildir"\npath = "sent"\n'
HOMELESS = "not valid: write the whole path"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("REFEREE_") or name == "CREDENTIALS_DIRECTORY":
            monkeypatch.delenv(name)


def written(folder: Path, text: str) -> Path:
    file = folder / "referee.toml"
    file.write_text(text)
    return file


def refused(folder: Path, text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(written(folder, text))
    return caught.value.told()


def test_the_file_that_init_writes_loads(tmp_path: Path) -> None:
    text = (resources.folder("deploy") / "referee.toml").read_text()
    settings = load(written(tmp_path, text))
    assert settings.site.address == "games@example.org"
    assert settings.state_dir == tmp_path / "state"
    assert settings.sending == MaildirSending(kind="maildir", path=tmp_path / "sent")


def sections(model: type[BaseModel], name: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    yield name, model
    for key, field in model.model_fields.items():
        for found in models(field.annotation):
            yield from sections(found, key)


def models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models(part)


def shown(file: Path) -> Mapping[str, set[str]]:
    """Return the settings in an example file, commented out or not, by section."""
    text = file.read_text()
    found: dict[str, set[str]] = {"": set()}
    section = ""
    for line in text.splitlines():
        if header := re.match(r"(?:# )?\[\[?(\w+)\]\]?$", line):
            section = header[1]
            found[section] = set()
        elif key := re.match(r"(?:# )?(\w+) = ", line):
            found[section].add(key[1])
    return found


def known() -> Mapping[str, set[str]]:
    """Return all settings, by section."""
    expected: dict[str, set[str]] = {}
    for name, model in sections(Settings):
        keys = {key for key, field in model.model_fields.items() if not [*models(field.annotation)]}
        expected[name] = expected.get(name, set()) | keys
    return expected


def test_every_setting_is_in_the_file_that_init_writes() -> None:
    assert known() == shown(resources.folder("deploy") / "referee.toml")


def test_every_setting_of_the_first_release_is_still_one() -> None:
    of_first = shown(KEPT / "0001.toml")
    lost = {name: keys - known().get(name, set()) for name, keys in of_first.items()}
    assert {name: keys for name, keys in lost.items() if keys} == {}


def test_every_setting_has_a_description() -> None:
    silent = [
        f"{name}.{key}"
        for name, model in sections(Settings)
        for key, field in model.model_fields.items()
        if not field.description or not (field.examples or [*models(field.annotation)])
    ]
    assert silent == []


def test_all_sections_can_be_set(tmp_path: Path) -> None:
    text = """
state_dir = "/srv/state"
[site]
address = "games@example.org"
operator = "you@example.org"
name = "Judge"
creators = ["gm@example.org", "anybody"]
zone = "America/Phoenix"
[database]
url = "postgresql+psycopg://referee@db/referee"
password_file = "db.password"
[receiver]
protocol = "lmtp"
socket = "run/lmtp"
[[imap]]
name = "games"
host = "imap.example.org"
user = "games"
password_file = "imap.password"
[[maildir]]
name = "orders"
path = "/var/mail/games"
[sending]
kind = "smtp"
host = "smtp.example.org"
user = "games"
password_file = "/etc/smtp.password"
[trust]
authserv_ids = ["MX.example.org"]
sealers = ["lists.example.org"]
dns = false
[limits]
letters_an_hour = 10
answers_an_hour = 50
"""
    settings = load(written(tmp_path, text))
    assert settings.state_dir == Path("/srv/state")
    assert settings.receiver is not None
    assert settings.receiver.socket == tmp_path / "run/lmtp"
    assert settings.imap[0].password_file == tmp_path / "imap.password"
    assert isinstance(settings.sending, SmtpSending)
    assert settings.sending.password_file == Path("/etc/smtp.password")
    assert settings.limits.letters_an_hour == 10
    assert settings.limits.answers_an_hour == 50
    assert settings.trust.authserv_ids == ("mx.example.org",)
    assert settings.trust.sealers == ("lists.example.org",)
    assert not settings.trust.dns


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("starweb-referee@example.org", ""),
        ("a" * 21 + "@example.org", ""),
        ("a" * 22 + "@example.org", "at most 21 characters before the @"),
        ("ä" * 11 + "@example.org", "at most 21 characters before the @"),
        ("games@" + "a." * 101 + "org", ""),
        ("games@" + "a." * 102 + "org", "has more than 254 characters"),
    ],
)
def test_no_address_of_ours_is_longer_than_mail_allows(
    tmp_path: Path, address: str, fault: str
) -> None:
    file = written(tmp_path, f"{HOUSE}{SENDING}".replace("games@example.org", address))
    if not fault:
        name, _, domain = load(file).site.address.partition("@")
        made = f"{name}+{'a' * LENGTH}@{domain}"
        assert (len(made.partition("@")[0]) <= 64, len(made) <= 254) == (True, True)
        return
    with pytest.raises(SettingsError, match=fault):
        load(file)


def test_anybody_can_be_written_alone(tmp_path: Path) -> None:
    file = written(tmp_path, f'{HOUSE}creators = "anybody"\n{SENDING}')
    assert load(file).site.creators == ("anybody",)


def test_all_errors_are_reported_together_with_their_places(tmp_path: Path) -> None:
    text = """stat_dir = "x"
[site]
addresses = "games@example.org"
operator = "you"
[receiver]
port = 99999
[[imap]]
name = "games"
host = "h"
user = "u"
[sending]
kind = "smtp"
host = "h"
path = "x"
"""
    file = tmp_path / "referee.toml"
    expected = f"""\
referee: site.address: missing
  setting   site.address in {file}, line 2
  to do     set the address players write to; for example: address = "games@example.org"
referee: site.operator: 'you' is not valid: not an email address
  setting   site.operator in {file}, line 4
  to do     set the address for alerts; for example: operator = "you@example.org"
referee: site.addresses: no such setting
  setting   site.addresses in {file}, line 3
  to do     did you mean address?
referee: receiver.port: 99999 is not valid: input should be less than or equal to 65535
  setting   receiver.port in {file}, line 6
  to do     set the port the receiver listens on; for example: port = 8025
referee: imap.games: not valid: set either a password_file or a token_command
  setting   imap.games in {file}, line 7
  to do     set the mailboxes that are read over IMAP; see the file that `referee init` writes
referee: sending.path: no such setting
  setting   sending.path in {file}, line 14
  to do     remove it; the settings here are host, kind, password_file, port, security, \
signed_envelope, token_command, user
referee: stat_dir: no such setting
  setting   stat_dir in {file}, line 1
  to do     did you mean state_dir?"""
    assert expected == refused(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HOUSE, "sending: missing"),
        (HOUSE + '[sending]\nkind = "pigeon"\n', "use one of these kinds: smtp, maildir"),
        (HOUSE + SENDING + "[receiver]\n", "either a port or a socket"),
        (HOUSE + SENDING + '[receiver]\nport = 1\nsocket = "s"\n', "either a port or"),
        (HOUSE + 'zone = "Mars/Olympus"\n' + SENDING, "unknown time zone"),
        (HOUSE + 'name = "The <Judge>"\n' + SENDING, "without"),
        (HOUSE + 'creators = ["gm"]\n' + SENDING, "site.creators.1: 'gm' is not valid"),
        (HOUSE.replace("games@", "games+x@") + SENDING, "cannot contain a plus sign"),
        (HOUSE + SENDING + '[database]\nurl = "mysql://h/d"\n', "start with sqlite:///"),
        (
            HOUSE + SENDING + 2 * '[[maildir]]\nname = "m"\npath = "p"\n',
            "two [[maildir]] sections have the name 'm'",
        ),
        (HOUSE + '[sending]\nkind = "smtp"\nhost = "h"\nuser = "u"\n', "set user with either"),
        (
            HOUSE + '[sending]\nkind = "smtp"\nhost = "h"\ntoken_command = ["token"]\n',
            "password_file or token_command",
        ),
        (HOUSE + SENDING + IMAP + 'token_command = ["t"]\n', "either a password_file or a token"),
        (HOUSE + SENDING + IMAP.replace("password_file", "folder"), "either a password_file or a"),
        (HOUSE + SENDING + IMAP + "token_command = []\n", "imap.games.token_command"),
        ("state_dir = 3\n" + HOUSE + SENDING, "state_dir: 3 is not valid: not the name of a file"),
        (HOUSE + SENDING + '[trust]\nsealers = ["a b"]\n', "trust.sealers.1: 'a b' is not valid"),
        ("[site\n", "not valid TOML"),
        ('state_dir = "~/state"\n' + HOUSE + SENDING, f"state_dir: '~/state' is {HOMELESS}"),
        (HOUSE + SENDING.replace("sent", "~games/sent"), f"'~games/sent' is {HOMELESS}"),
        (HOUSE + SENDING + IMAP.replace('"p"', '"~/p"'), f"password_file: '~/p' is {HOMELESS}"),
        (
            HOUSE + SENDING + IMAP.replace('password_file = "p"', 'token_command = ["~/t"]'),
            f"imap.games.token_command: {HOMELESS}",
        ),
        (HOUSE + SENDING + '[receiver]\nsocket = "~/s"\n', f"socket: '~/s' is {HOMELESS}"),
        (HOUSE + SENDING + '[pages]\nfolder = "~/p"\n', f"pages.folder: '~/p' is {HOMELESS}"),
        (HOUSE + SENDING + '[database]\nurl = "sqlite:///~/d"\n', f"database.url: {HOMELESS}"),
    ],
)
def test_invalid_settings_are_rejected_with_a_message(
    tmp_path: Path, text: str, words: str
) -> None:
    told = refused(tmp_path, text)
    assert words in told
    assert "Traceback" not in told


def test_a_name_can_begin_with_a_tilde_in_the_folder_of_the_settings(tmp_path: Path) -> None:
    settings = load(written(tmp_path, 'state_dir = "./~"\n' + HOUSE + SENDING))
    assert settings.state_dir == tmp_path / "~"


def test_settings_that_are_not_utf_8_are_called_that(tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_bytes(b"[site]\n# na\xe9\n")
    with pytest.raises(SettingsError) as caught:
        load(file)
    assert "settings: line 2 is not UTF-8 text" in caught.value.told()


def test_a_password_in_the_database_url_is_rejected_and_not_repeated(tmp_path: Path) -> None:
    url = '[database]\nurl = "postgresql+psycopg://u:hunter2@h/db"\n'
    told = refused(tmp_path, HOUSE + SENDING + url)
    assert "database.password_file" in told
    assert "hunter2" not in told


def test_a_missing_file_is_reported_with_a_fix(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path / "none.toml")
    assert "referee init" in caught.value.told()


def test_the_environment_takes_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SITE__NAME", "Judge")
    monkeypatch.setenv("REFEREE_RECEIVER__PORT", "2525")
    monkeypatch.setenv("REFEREE_SENDING__PATH", "/srv/sent")
    settings = load(written(tmp_path, HOUSE + SENDING))
    assert settings.site.name == "Judge"
    assert settings.site.address == "games@example.org"
    assert settings.receiver is not None
    assert settings.receiver.port == 2525
    assert settings.sending == MaildirSending(kind="maildir", path=Path("/srv/sent"))


def test_a_fault_in_the_environment_names_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SITE__ZONE", "Mars")
    monkeypatch.setenv("REFEREE_STATEDIR", "x")
    told = refused(tmp_path, HOUSE + SENDING)
    assert "setting   REFEREE_SITE__ZONE in the environment" in told
    assert "did you mean REFEREE_STATE_DIR?" in told


def test_a_list_in_the_environment_is_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_IMAP", "[oops")
    assert "environment variable: cannot be read" in refused(tmp_path, HOUSE + SENDING)


@pytest.mark.parametrize(
    ("program", "run"), [("./token", "{folder}/token"), ("token", "token"), ("/bin/t", "/bin/t")]
)
def test_a_command_is_not_looked_for_in_the_working_folder(
    tmp_path: Path, program: str, run: str
) -> None:
    words = f'token_command = ["{program}", "./as-it-is"]'
    file = tmp_path / "referee.toml"
    file.write_text(HOUSE + SENDING + IMAP.replace('password_file = "p"', words))
    (box,) = load(file).imap
    assert box.token_command == (run.format(folder=tmp_path), "./as-it-is")


def test_a_password_is_first_looked_for_where_systemd_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed = tmp_path / "credentials"
    handed.mkdir()
    (handed / "smtp.password").write_text("x")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(handed))
    smtp = '[sending]\nkind = "smtp"\nhost = "h"\nuser = "u"\npassword_file = "smtp.password"\n'
    imap = '[[imap]]\nname = "i"\nhost = "h"\nuser = "u"\npassword_file = "imap.password"\n'
    settings = load(written(tmp_path, HOUSE + smtp + imap))
    assert isinstance(settings.sending, SmtpSending)
    assert settings.sending.password_file == handed / "smtp.password"
    assert settings.imap[0].password_file == tmp_path / "imap.password"


def test_a_secret_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("pässword \nsecond line\n", encoding="utf-8")
    assert read_secret(file, "sending.password_file") == "pässword "


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe"])
def test_an_unreadable_secret_is_reported(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ResourceError) as caught:
        read_secret(file, "sending.password_file")
    assert "setting   sending.password_file" in caught.value.told()


def test_lines_are_found_in_nested_and_repeated_sections() -> None:
    text = 'a = 1\n[b]\n"c" = 2\nd.e = 3\n[[f]]\ng = 1\n[[f]]\n  g = 2\n[b.h]\ni = 4\n'
    places = lines_of(text)
    paths = [("a",), ("b", "c"), ("b", "d", "e"), ("f", 1, "g"), ("b", "h", "i"), ("f", 0, "x")]
    assert [line_of(places, path) for path in paths] == [1, 3, 4, 8, 10, 5]
    assert line_of(places, ("z",)) is None


def test_the_address_of_the_pages_ends_in_a_slash(tmp_path: Path) -> None:
    pages = '[pages]\nfolder = "public"\nurl = "https://games.example.org/sw"\n'
    settings = load(written(tmp_path, HOUSE + SENDING + pages))
    assert settings.pages is not None
    assert settings.pages.url == "https://games.example.org/sw/"
    assert settings.pages.folder == tmp_path / "public"


@pytest.mark.parametrize("url", ["games.example.org", "https://a.example/?q=1", 'https://a/">'])
def test_the_address_of_the_pages_must_be_one(tmp_path: Path, url: str) -> None:
    pages = f"[pages]\nfolder = \"public\"\nurl = '{url}'\n"
    assert "use https://, a server, and maybe a path" in refused(tmp_path, HOUSE + SENDING + pages)
