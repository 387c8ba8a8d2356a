"""The settings of a site: typed, from one TOML file and the environment."""

from referee.settings.loading import load, read_secret, with_database
from referee.settings.model import (
    DatabaseSettings,
    HookSettings,
    ImapSettings,
    LimitsSettings,
    MaildirSending,
    MaildirSettings,
    PagesSettings,
    ReceiverSettings,
    Settings,
    SiteSettings,
    SmtpSending,
    TrustSettings,
)

__all__ = [
    "DatabaseSettings",
    "HookSettings",
    "ImapSettings",
    "LimitsSettings",
    "MaildirSending",
    "MaildirSettings",
    "PagesSettings",
    "ReceiverSettings",
    "Settings",
    "SiteSettings",
    "SmtpSending",
    "TrustSettings",
    "load",
    "read_secret",
    "with_database",
]
