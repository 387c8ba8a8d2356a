"""Model of the settings: one class per section of the file, one field per setting.

Error messages show a field's description and its first example.
"""

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from referee.domain import tokens

T = TypeVar("T")


def without_home(value: T) -> T:
    """Return *value*. Raises ValueError if it is a path that starts in a home folder."""
    # Root, the referee's user and an operator read the same settings, and each has another home.
    if isinstance(value, str) and value.startswith("~"):
        raise ValueError("write the whole path; ~ is another folder for every user")
    return value


SettingPath = Annotated[Path, BeforeValidator(without_home)]
"""A path that is the same for every user; ``./~`` starts a name with a tilde."""


def _page_address(url: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?", url):
        raise ValueError("use https://, a server, and maybe a path")
    return url if url.endswith("/") else f"{url}/"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PagesSettings(_Section):
    """The web pages about the games, which everyone can read."""

    folder: SettingPath = Field(
        description="the folder of the pages, which a web server serves",
        examples=["/srv/referee-pages"],
    )
    url: Annotated[str, AfterValidator(_page_address)] = Field(
        description="the address of the pages on the web", examples=["https://games.example.org/"]
    )


class RetentionSettings(_Section):
    """When old data is compressed or deleted."""

    bundle_days: int = Field(
        default=60,
        ge=0,
        le=36500,
        description="the days until emails and states of a game are compressed together; "
        "nothing is lost; 0 for never",
        examples=[60],
    )
    strangers_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="the days until emails without a game are deleted; 0 for never",
        examples=[365],
    )
    unproven_days: int = Field(
        default=30,
        ge=0,
        le=36500,
        description="the days until emails of unknown senders, and those that nobody has "
        "confirmed, are deleted; 0 for never",
        examples=[30],
    )
    ignored_days: int = Field(
        default=90,
        ge=0,
        le=36500,
        description="the days until automatic emails without a game are deleted; 0 for never",
        examples=[90],
    )
    quarantined_days: int = Field(
        default=365,
        ge=0,
        le=36500,
        description="the days until quarantined emails without a game are deleted; 0 for never",
        examples=[365],
    )


_ADDRESS = re.compile(r"[^@\s<>\",;]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\Z")
ANYBODY = "anybody"
LOCAL_OCTETS: Final = 64
ADDRESS_OCTETS: Final = 254
"""The most octets before the @ and of a whole address in SMTP (RFC 5321, section 4.5.3.1)."""
_SQLITE = "sqlite:///"
_DATABASES = (_SQLITE, "postgresql+psycopg://")


def _address(text: str) -> str:
    if not _ADDRESS.match(text):
        raise ValueError("not an email address")
    return text


def _own_address(text: str) -> str:
    # Replies go to games+TOKEN@host, so the part before the token cannot contain a plus.
    if "+" in _address(text):
        raise ValueError("the referee's address cannot contain a plus sign, which separates tokens")
    longest = LOCAL_OCTETS - len("+") - tokens.LENGTH
    if len(text.partition("@")[0].encode()) > longest:
        raise ValueError(
            f"at most {longest} characters before the @, because replies go to games+TOKEN@..., "
            f"and email allows {LOCAL_OCTETS} there"
        )
    if len(text) + len("+") + tokens.LENGTH > ADDRESS_OCTETS:
        raise ValueError(f"too long: with a token it has more than {ADDRESS_OCTETS} characters")
    return text


def _all_creators(given: object) -> object:
    return [given] if isinstance(given, str) else given


def _creator(text: str) -> str:
    return text if text == ANYBODY else _address(text)


def _word(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]{1,40}", text):
        raise ValueError("use only small letters, digits and hyphens, at most 40")
    return text


def _host(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*", text):
        raise ValueError("not the name of a server")
    return text.lower()


def _ip_address(text: str) -> str:
    if text:
        ip_address(text)
    return text


def _display_name(text: str) -> str:
    if not re.fullmatch(r'[^\x00-\x1f"<>]{1,60}', text):
        raise ValueError('use 1 to 60 characters, without " < and >')
    return text


def _zone(key: str) -> str:
    try:
        ZoneInfo(key)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError("unknown time zone") from error
    return key


def _database(url: str) -> str:
    if not url.startswith(_DATABASES):
        raise ValueError(f"it must start with {' or '.join(_DATABASES)}")
    if re.match(r"[a-z+]+://[^/@]*:[^/@]*@", url):
        raise ValueError("it must not contain a password; put its file into database.password_file")
    without_home(url.removeprefix(_SQLITE))
    return url


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    # Without a shell, nothing else would replace the tilde.
    without_home(words[0])
    return words


Address = Annotated[str, AfterValidator(_address)]
Port = Annotated[int, Field(ge=1, le=65535)]
Word = Annotated[str, AfterValidator(_word)]


Security = Literal["tls", "starttls", "none"]
"""The protection of a connection to a mail server."""


Command = Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_command)]
"""A program and its arguments, passed to the system without a shell."""


class SiteSettings(_Section):
    """The identity of the referee."""

    address: Annotated[str, AfterValidator(_own_address)] = Field(
        description="the address players write to", examples=["games@example.org"]
    )
    operator: Address = Field(description="the address for alerts", examples=["you@example.org"])
    name: Annotated[str, AfterValidator(_display_name)] = Field(
        default="The Referee",
        description="the name the referee signs with",
        examples=["The Referee"],
    )
    creators: Annotated[
        tuple[Annotated[str, AfterValidator(_creator)], ...], BeforeValidator(_all_creators)
    ] = Field(
        default=(),
        description='who can create games besides the operator: addresses, or "anybody"',
        examples=[["gm@example.org"]],
    )
    zone: Annotated[str, AfterValidator(_zone)] = Field(
        default="UTC",
        description="the default time zone of players",
        examples=["Europe/Berlin"],
    )
    html: bool = Field(
        default=True,
        description="whether emails have HTML besides their text, unless a player chooses",
        examples=[False],
    )


class DatabaseSettings(_Section):
    """The database for games and letters."""

    url: Annotated[str, AfterValidator(_database)] | None = Field(
        default=None,
        description="the database; without it, the SQLite file referee.db in state_dir",
        examples=["postgresql+psycopg://referee@db.example.org/referee"],
    )
    password_file: SettingPath | None = Field(
        default=None,
        description="the file that holds the password of a PostgreSQL database",
        examples=["database.password"],
    )


class ReceiverSettings(_Section):
    """The built-in receiver of letters."""

    protocol: Literal["smtp", "lmtp"] = Field(
        default="smtp", description="the protocol of the receiver", examples=["lmtp"]
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
    socket: SettingPath | None = Field(
        default=None,
        description="a Unix socket to listen on, instead of host and port",
        examples=["/run/referee/lmtp"],
    )

    @model_validator(mode="after")
    def _one_place(self) -> "ReceiverSettings":
        if (self.port is None) == (self.socket is None):
            raise ValueError("set either a port or a socket")
        return self


class ImapSettings(_Section):
    """A mailbox that is read over IMAP."""

    name: Word = Field(description="the name of the mailbox in the log", examples=["games"])
    host: str = Field(min_length=1, description="the IMAP server", examples=["imap.example.org"])
    port: Port | None = Field(
        default=None, description="its port; 993 with tls, else 143", examples=[993]
    )
    security: Security = Field(
        default="tls", description="how the connection is protected", examples=["tls"]
    )
    user: str = Field(min_length=1, description="the login name", examples=["games@example.org"])
    password_file: SettingPath | None = Field(
        default=None, description="the file that holds the password", examples=["imap.password"]
    )
    token_command: Command | None = Field(
        default=None,
        description="the command that writes an access token, instead of a password (XOAUTH2)",
        examples=[["/usr/local/bin/mail-token", "games@example.org"]],
    )
    folder: str = Field(
        default="INBOX", min_length=1, description="the folder to read", examples=["INBOX"]
    )
    done_folder: str = Field(
        default="Done",
        min_length=1,
        description="the folder for emails that were stored",
        examples=["Done"],
    )
    poll_seconds: int = Field(
        default=60,
        ge=1,
        le=3600,
        description="the seconds between checks if the server does not announce mail",
        examples=[60],
    )

    @model_validator(mode="after")
    def _one_proof(self) -> "ImapSettings":
        if (self.password_file is None) == (self.token_command is None):
            raise ValueError("set either a password_file or a token_command")
        return self


class MaildirSettings(_Section):
    """A Maildir on this machine that is read."""

    name: Word = Field(description="the name of the Maildir in the log", examples=["orders"])
    path: SettingPath = Field(description="its folder", examples=["/var/mail/games"])


class SmtpSending(_Section):
    """Sending through a mail server."""

    kind: Literal["smtp"] = Field(description="how emails are sent", examples=["smtp"])
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
    password_file: SettingPath | None = Field(
        default=None, description="the file that holds the password", examples=["smtp.password"]
    )
    token_command: Command | None = Field(
        default=None,
        description="the command that writes an access token, instead of a password (XOAUTH2)",
        examples=[["/usr/local/bin/mail-token", "games@example.org"]],
    )

    signed_envelope: bool = Field(
        default=True,
        description="whether the envelope sender is games+TOKEN@..., so that "
        "bounces are recognized; false for servers that accept only the plain address",
        examples=[True],
    )

    @model_validator(mode="after")
    def _user_with_password(self) -> "SmtpSending":
        proofs = [p for p in (self.password_file, self.token_command) if p is not None]
        if len(proofs) != bool(self.user):
            raise ValueError("set user with either password_file or token_command, or none of them")
        return self


class MaildirSending(_Section):
    """Delivery into a Maildir on this machine."""

    kind: Literal["maildir"] = Field(description="how emails are sent", examples=["maildir"])
    path: SettingPath = Field(description="the Maildir's folder", examples=["sent"])


class TrustSettings(_Section):
    """Mail servers whose statements about signatures are trusted."""

    authserv_ids: tuple[Annotated[str, AfterValidator(_host)], ...] = Field(
        default=(),
        description="the names of mail servers whose Authentication-Results are trusted, because "
        "all mail passes them and they remove such lines of others",
        examples=[["mx.example.org"]],
    )
    sealers: tuple[Annotated[str, AfterValidator(_host)], ...] = Field(
        default=(),
        description="the domains whose ARC seals are trusted for forwarded mail",
        examples=[["lists.example.org"]],
    )
    dns: bool = Field(
        default=True,
        description="whether DKIM signatures are checked with keys from the name server",
        examples=[True],
    )


class LimitsSettings(_Section):
    """Limits that keep a fault from causing a flood."""

    letter_bytes: int = Field(
        default=25 * 2**20,
        ge=10_000,
        description="the size limit of an email in bytes; longer ones are cut",
        examples=[26214400],
    )
    disk_a_day: int = Field(
        default=1_000_000_000,
        ge=20_000_000,
        description="the maximum number of bytes stored of all incoming emails in a day; one "
        "sender has a twentieth of it, and those who prove nothing a third of what is left",
        examples=[1000000000],
    )
    letters_an_hour: int = Field(
        default=2000,
        ge=1,
        description="the maximum number of emails sent in an hour; then sending stops for an hour",
        examples=[2000],
    )
    answers_an_hour: int = Field(
        default=60,
        ge=1,
        description="the maximum number of answers to one player about one game in an hour, and "
        "four times as many in a day about all; all emails are read and done",
        examples=[60],
    )
    domain_letters_a_minute: int = Field(
        default=300,
        ge=1,
        description="the maximum number of emails sent to one domain in a minute; more wait",
        examples=[300],
    )


class PlaySettings(_Section):
    """Games of one person against robots."""

    games: int = Field(
        default=100,
        ge=0,
        description="the most such games of all people; 0 if nobody can play against robots",
        examples=[100],
    )


class AdjudicationSettings(_Section):
    """The processes that resolve turns."""

    workers: int | None = Field(
        default=None,
        ge=0,
        le=256,
        description="the number of processes that resolve turns; by default as many "
        "as the machine has cores, or none if it has one core",
        examples=[2],
    )


class OutageSettings(_Section):
    """Extensions of deadlines after an outage of the referee."""

    gap_seconds: int = Field(
        default=600,
        ge=4,
        le=86400,
        description="how long the referee or a mailbox must be down for an "
        "outage, by which deadlines in it are moved",
        examples=[600],
    )
    longest_hours: int = Field(
        default=72,
        ge=1,
        le=8760,
        description="the longest extension after an outage, and the longest wait of deadlines for "
        "an unreadable mailbox",
        examples=[72],
    )


def _hook_url(url: str) -> str:
    if not re.fullmatch(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?", url):
        raise ValueError("use https://, a server, and a path")
    return url


class HookSettings(_Section):
    """An address on the web to which public events of games are posted."""

    name: Word = Field(description="the name of the hook in the log", examples=["tavern"])
    url: Annotated[str, AfterValidator(_hook_url)] | None = Field(
        default=None, description="the address", examples=["https://hooks.example.org/games"]
    )
    url_file: SettingPath | None = Field(
        default=None,
        description="the file that holds the address, for one that is a secret, as of Discord",
        examples=["tavern.url"],
    )
    secret_file: SettingPath | None = Field(
        default=None,
        description="the file that holds the secret for signatures, in base64",
        examples=["tavern.secret"],
    )
    format: Literal["json", "discord", "slack", "matrix"] = Field(
        default="json", description="the form of what is posted", examples=["discord"]
    )
    games: tuple[str, ...] = Field(
        default=(),
        description="the games, also private ones; by default all that LIST shows",
        examples=[["SW-1"]],
    )
    address: Annotated[str, AfterValidator(_ip_address)] = Field(
        default="",
        description="the IP address of the server, which a private one needs",
        examples=["192.168.1.5"],
    )

    @model_validator(mode="after")
    def _one_address(self) -> "HookSettings":
        if (self.url is None) == (self.url_file is None):
            raise ValueError("set either url or url_file")
        if self.format == "json" and self.secret_file is None:
            raise ValueError("set secret_file, because json is signed; or another format")
        return self


class MetricsSettings(_Section):
    """The metrics page for Prometheus."""

    port: Port = Field(description="the local port that answers GET /metrics", examples=[9925])


class Settings(BaseSettings):
    """All settings of a site, with absolute paths."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix="REFEREE_", env_nested_delimiter="__"
    )

    state_dir: SettingPath = Field(
        default=Path("state"),
        description="the folder for the database and the secret",
        examples=["state"],
    )
    site: SiteSettings = Field(description="the identity of the referee")
    database: DatabaseSettings = Field(
        default=DatabaseSettings(), description="the database for games and emails"
    )
    receiver: ReceiverSettings | None = Field(
        default=None, description="the built-in receiver of emails"
    )
    imap: tuple[ImapSettings, ...] = Field(
        default=(), description="the mailboxes that are read over IMAP"
    )
    maildir: tuple[MaildirSettings, ...] = Field(
        default=(), description="the Maildirs that are read"
    )
    sending: Annotated[SmtpSending | MaildirSending, Field(discriminator="kind")] = Field(
        description="how emails are sent"
    )
    trust: TrustSettings = Field(default=TrustSettings(), description="the trusted mail servers")
    limits: LimitsSettings = Field(
        default=LimitsSettings(), description="the limits that keep a fault from causing a flood"
    )

    play: PlaySettings = Field(
        default=PlaySettings(), description="the games of one person against robots"
    )

    adjudication: AdjudicationSettings = Field(
        default=AdjudicationSettings(), description="the processes that resolve turns"
    )

    outage: OutageSettings = Field(
        default=OutageSettings(),
        description="the extension of deadlines after an outage",
    )

    retention: RetentionSettings = Field(
        default=RetentionSettings(),
        description="when old data is compressed or deleted",
    )

    pages: PagesSettings | None = Field(
        default=None, description="the web pages about the games; none by default"
    )

    hook: tuple[HookSettings, ...] = Field(
        default=(), description="the addresses to which public events of games are posted"
    )

    metrics: MetricsSettings | None = Field(
        default=None, description="the metrics page for Prometheus; none by default"
    )

    @model_validator(mode="after")
    def _names_differ(self) -> "Settings":
        for kind, sources in (
            ("imap", self.imap),
            ("maildir", self.maildir),
            ("hook", self.hook),
        ):
            names = [source.name for source in sources]
            if twice := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"two [[{kind}]] sections have the name {min(twice)!r}")
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
        """Use only the environment and the file; the environment takes precedence."""
        return env_settings, init_settings
