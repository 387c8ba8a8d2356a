"""What can be set: one class per section of the settings file, one field per setting.

The description of a field stands in error messages, and its first example shows how to write it.
"""

import re
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

_ADDRESS = re.compile(r"[^@\s<>\",;]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\Z")
ANYBODY = "anybody"
_DATABASES = ("sqlite:///", "postgresql+psycopg://")


def _address(text: str) -> str:
    if not _ADDRESS.match(text):
        raise ValueError("this is no mail address")
    return text


def _own_address(text: str) -> str:
    # Replies go to games+TOKEN@host, so the part before the token has no plus of its own.
    if "+" in _address(text):
        raise ValueError("the referee's own address has no plus sign: it writes tokens behind one")
    return text


def _creator(text: str) -> str:
    return text if text == ANYBODY else _address(text)


def _word(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]{1,40}", text):
        raise ValueError("it has small letters, digits and hyphens alone, at most 40")
    return text


def _host(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*", text):
        raise ValueError("this is no name of a server")
    return text.lower()


def _display_name(text: str) -> str:
    if not re.fullmatch(r'[^\x00-\x1f"<>]{1,60}', text):
        raise ValueError('it has 1 to 60 characters, none of them " < or >')
    return text


def _zone(key: str) -> str:
    try:
        ZoneInfo(key)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError("no time zone has this name") from error
    return key


def _database(url: str) -> str:
    if not url.startswith(_DATABASES):
        raise ValueError(f"a database begins with {' or '.join(_DATABASES)}")
    if re.match(r"[a-z+]+://[^/@]*:[^/@]*@", url):
        raise ValueError("a password does not belong here: name its file in database.password_file")
    return url


Address = Annotated[str, AfterValidator(_address)]
Port = Annotated[int, Field(ge=1, le=65535)]
Word = Annotated[str, AfterValidator(_word)]


Security = Literal["tls", "starttls", "none"]
"""How a connection to a mail server is protected."""


Command = Annotated[tuple[str, ...], Field(min_length=1)]
"""A program and its arguments, as they are given to the system: no shell reads them."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HouseSettings(_Section):
    """Who the referee is."""

    address: Annotated[str, AfterValidator(_own_address)] = Field(
        description="the address players write to", examples=["games@example.org"]
    )
    operator: Address = Field(
        description="the address that is told of trouble", examples=["you@example.org"]
    )
    name: Annotated[str, AfterValidator(_display_name)] = Field(
        default="The Referee",
        description="the name the referee signs with",
        examples=["The Referee"],
    )
    creators: tuple[Annotated[str, AfterValidator(_creator)], ...] = Field(
        default=(),
        description='who may create games besides the operator: addresses, or "anybody"',
        examples=[["gm@example.org"]],
    )
    zone: Annotated[str, AfterValidator(_zone)] = Field(
        default="UTC",
        description="the time zone of people who have set none",
        examples=["Europe/Berlin"],
    )


class DatabaseSettings(_Section):
    """Where games and letters are kept."""

    url: Annotated[str, AfterValidator(_database)] | None = Field(
        default=None,
        description="the database; without it, the SQLite file referee.db in state_dir",
        examples=["postgresql+psycopg://referee@db.example.org/referee"],
    )
    password_file: Path | None = Field(
        default=None,
        description="the file that holds the password of a PostgreSQL database",
        examples=["database.password"],
    )


class ReceiverSettings(_Section):
    """The built-in receiver of letters."""

    protocol: Literal["smtp", "lmtp"] = Field(
        default="smtp", description="what the receiver speaks", examples=["lmtp"]
    )
    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="the address the receiver listens on",
        examples=["127.0.0.1"],
    )
    port: Port | None = Field(
        default=None, description="the port the receiver listens on", examples=[8025]
    )
    socket: Path | None = Field(
        default=None,
        description="a Unix socket to listen on, in place of host and port",
        examples=["/run/referee/lmtp"],
    )

    @model_validator(mode="after")
    def _one_place(self) -> "ReceiverSettings":
        if (self.port is None) == (self.socket is None):
            raise ValueError("the receiver listens either on a port or on a socket")
        return self


class ImapSettings(_Section):
    """A mailbox that is read over IMAP."""

    name: Word = Field(description="what the mailbox is called in the log", examples=["games"])
    host: str = Field(min_length=1, description="the IMAP server", examples=["imap.example.org"])
    port: Port | None = Field(
        default=None, description="its port; 993 with tls, else 143", examples=[993]
    )
    security: Security = Field(
        default="tls", description="how the connection is protected", examples=["tls"]
    )
    user: str = Field(min_length=1, description="the login name", examples=["games@example.org"])
    password_file: Path | None = Field(
        default=None, description="the file that holds the password", examples=["imap.password"]
    )
    token_command: Command | None = Field(
        default=None,
        description="the command that writes an access token, in place of a password (XOAUTH2)",
        examples=[["/usr/local/bin/mail-token", "games@example.org"]],
    )
    folder: str = Field(
        default="INBOX", min_length=1, description="the folder to read", examples=["INBOX"]
    )
    done_folder: str = Field(
        default="Done",
        min_length=1,
        description="the folder letters are moved to once they are stored",
        examples=["Done"],
    )
    poll_seconds: int = Field(
        default=60,
        ge=1,
        le=3600,
        description="how often to look when the server does not say that mail is there",
        examples=[60],
    )

    @model_validator(mode="after")
    def _one_proof(self) -> "ImapSettings":
        if (self.password_file is None) == (self.token_command is None):
            raise ValueError("a mailbox has either a password_file or a token_command")
        return self


class MaildirSettings(_Section):
    """A Maildir on this machine that is read."""

    name: Word = Field(description="what the Maildir is called in the log", examples=["orders"])
    path: Path = Field(description="its folder", examples=["/var/mail/games"])


class SmtpSending(_Section):
    """Letters go out through a mail server."""

    kind: Literal["smtp"] = Field(description="how letters go out", examples=["smtp"])
    host: str = Field(min_length=1, description="the mail server", examples=["smtp.example.org"])
    port: Port | None = Field(
        default=None,
        description="its port; 465 with tls, 587 with starttls, else 25",
        examples=[587],
    )
    security: Security = Field(
        default="starttls", description="how the connection is protected", examples=["tls"]
    )
    user: str = Field(default="", description="the login name", examples=["games@example.org"])
    password_file: Path | None = Field(
        default=None, description="the file that holds the password", examples=["smtp.password"]
    )
    token_command: Command | None = Field(
        default=None,
        description="the command that writes an access token, in place of a password (XOAUTH2)",
        examples=[["/usr/local/bin/mail-token", "games@example.org"]],
    )

    signed_envelope: bool = Field(
        default=True,
        description="whether letters leave with games+TOKEN@... as envelope sender, so that "
        "bounces are known; false for servers that take only the plain address",
        examples=[True],
    )

    @model_validator(mode="after")
    def _user_with_password(self) -> "SmtpSending":
        proofs = [p for p in (self.password_file, self.token_command) if p is not None]
        if len(proofs) != bool(self.user):
            raise ValueError(
                "user and password_file go together, or user and token_command; or set none"
            )
        return self


class MaildirSending(_Section):
    """Letters go out into a Maildir on this machine."""

    kind: Literal["maildir"] = Field(description="how letters go out", examples=["maildir"])
    path: Path = Field(description="the Maildir's folder", examples=["sent"])


class TrustSettings(_Section):
    """Which mail servers are believed when they say who signed a letter."""

    authserv_ids: tuple[Annotated[str, AfterValidator(_host)], ...] = Field(
        default=(),
        description="the names of mail servers whose Authentication-Results are believed, because "
        "every letter comes through them and they take out such lines of others",
        examples=[["mx.example.org"]],
    )
    sealers: tuple[Annotated[str, AfterValidator(_host)], ...] = Field(
        default=(),
        description="the domains whose ARC seals are believed about letters they passed on",
        examples=[["lists.example.org"]],
    )
    dns: bool = Field(
        default=True,
        description="whether DKIM signatures are checked with keys from the name server",
        examples=[True],
    )


class LimitsSettings(_Section):
    """What keeps a fault from becoming a flood."""

    letter_bytes: int = Field(
        default=25 * 2**20,
        ge=10_000,
        description="the largest letter that is taken whole, in bytes",
        examples=[26214400],
    )
    letters_an_hour: int = Field(
        default=2000,
        ge=1,
        description="how many letters may go out in an hour; then sending stops for an hour",
        examples=[2000],
    )
    answers_an_hour: int = Field(
        default=60,
        ge=1,
        description="how many letters of one player about one game are answered in an hour; all "
        "are read and done",
        examples=[60],
    )
    answers_a_day: int = Field(
        default=250,
        ge=1,
        description="how many letters of one player are answered in a day; all are read and done",
        examples=[250],
    )
    domain_letters_a_minute: int = Field(
        default=300,
        ge=1,
        description="how many letters a minute the mail server gets for one domain; more wait",
        examples=[300],
    )


class AdjudicationSettings(_Section):
    """Who resolves turns."""

    workers: int | None = Field(
        default=None,
        ge=0,
        le=256,
        description="how many processes resolve turns beside the referee; when left out, as many "
        "as the machine has cores, and none where it has one",
        examples=[2],
    )


class OutageSettings(_Section):
    """What is done about deadlines that passed while the referee was away."""

    gap_seconds: int = Field(
        default=600,
        ge=4,
        le=86400,
        description="how long the referee, or a mailbox, gives no sign of life before that is an "
        "outage: deadlines that pass in it move by as much",
        examples=[600],
    )
    longest_hours: int = Field(
        default=72,
        ge=1,
        le=8760,
        description="how much time an outage gives back at most, and how long deadlines wait for "
        "a mailbox that cannot be read",
        examples=[72],
    )


class RetentionSettings(_Section):
    """After how long what is old is made small, or given up."""

    bundle_days: int = Field(
        default=60,
        ge=0,
        le=36500,
        description="after how many days letters and states of a game are compressed together; "
        "nothing of them is lost; 0 for never",
        examples=[60],
    )
    strangers_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="after how many days the text of letters of no game is given up; 0 for never",
        examples=[365],
    )
    ignored_days: int = Field(
        default=90,
        ge=0,
        le=36500,
        description="after how many days that of machines' letters of no game is; 0 for never",
        examples=[90],
    )
    quarantined_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="after how many days that of letters of no game in quarantine is; 0 for never",
        examples=[365],
    )


class MetricsSettings(_Section):
    """What Prometheus may ask."""

    port: Port = Field(
        description="the port of this machine on which GET /metrics is answered", examples=[9925]
    )


class Settings(BaseSettings):
    """All settings of an installation, with every path absolute."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="REFEREE_", env_nested_delimiter="__"
    )

    state_dir: Path = Field(
        default=Path("state"),
        description="the folder for the database and the secret",
        examples=["state"],
    )
    house: HouseSettings = Field(description="who the referee is")
    database: DatabaseSettings = Field(
        default=DatabaseSettings(), description="where games and letters are kept"
    )
    receiver: ReceiverSettings | None = Field(
        default=None, description="the built-in receiver of letters"
    )
    imap: tuple[ImapSettings, ...] = Field(
        default=(), description="the mailboxes that are read over IMAP"
    )
    maildir: tuple[MaildirSettings, ...] = Field(
        default=(), description="the Maildirs that are read"
    )
    sending: Annotated[SmtpSending | MaildirSending, Field(discriminator="kind")] = Field(
        description="how letters go out"
    )
    trust: TrustSettings = Field(
        default=TrustSettings(), description="which mail servers are believed"
    )
    limits: LimitsSettings = Field(
        default=LimitsSettings(), description="what keeps a fault from becoming a flood"
    )

    adjudication: AdjudicationSettings = Field(
        default=AdjudicationSettings(), description="who resolves turns"
    )

    outage: OutageSettings = Field(
        default=OutageSettings(),
        description="what is done about deadlines that passed while the referee was away",
    )

    retention: RetentionSettings = Field(
        default=RetentionSettings(),
        description="after how long what is old is made small, or given up",
    )

    metrics: MetricsSettings | None = Field(
        default=None, description="what Prometheus may ask; without it nothing"
    )

    @model_validator(mode="after")
    def _names_differ(self) -> "Settings":
        for kind, sources in (("imap", self.imap), ("maildir", self.maildir)):
            names = [source.name for source in sources]
            if twice := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"two [[{kind}]] sections are called {min(twice)!r}")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the interface passes them all
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment prevail over the file, and let nothing else in."""
        return env_settings, init_settings
