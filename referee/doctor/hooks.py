"""Check of the hooks, without posting anything."""

from collections.abc import Iterator

from referee.app import hook_target
from referee.clock import now
from referee.doctor.passwords import given_to_service
from referee.doctor.report import CheckResult, fault, well
from referee.mail.call_outs import HookSender
from referee.settings import Settings


def look_at_hooks(settings: Settings) -> Iterator[CheckResult]:
    """Connect to every hook, over TLS, and check its secret."""
    sender = HookSender({}, now)
    for hook in settings.hook:
        files = (hook.url_file, hook.secret_file)
        given = [given_to_service(file, f"hook {hook.name}: {file}") for file in files]
        if results := [each for each in given if each is not None]:
            yield from results
        elif trouble := sender.trouble(hook_target(hook), None):
            yield fault(
                f"hook {hook.name}: {trouble}",
                "check its address and its server; then run `referee doctor hooks` again",
                "setting",
                f"hook.{hook.name}",
            )
        else:
            yield well(f"hook {hook.name}: its server answers, with a valid certificate")
