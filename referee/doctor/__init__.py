"""The doctor: checks a site part by part, and says how to fix each fault."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from referee.doctor import dns, files, hooks, metrics, pages, plugins, queues, servers, work
from referee.doctor.report import CheckResult, Severity
from referee.settings import Settings

Look = Callable[[Settings], Iterator[CheckResult]]

PARTS: Final[Mapping[str, Look]] = {
    "settings": files.look_at_settings,
    "rulesets": plugins.look_at_rulesets,
    "state": files.look_at_state,
    "disk": files.look_at_disk,
    "database": queues.look_at_database,
    "backup": work.look_at_backups,
    "letters": queues.look_at_letters,
    "work": work.look_at_work,
    "clock": queues.look_at_clock,
    "pages": pages.look_at_pages,
    "receiver": servers.look_at_receiver,
    "imap": servers.look_at_mailboxes,
    "maildir": servers.look_at_maildirs,
    "smtp": servers.look_at_sending,
    "hooks": hooks.look_at_hooks,
    "metrics": metrics.look_at_metrics,
    "dns": dns.look_at_names,
}
"""Every part with its check, in the order in which one fault causes the next."""

__all__ = ["PARTS", "CheckResult", "Look", "Severity"]
