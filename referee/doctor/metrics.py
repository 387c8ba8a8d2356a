"""Check of the metrics page."""

from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException

from referee.daemon.metrics import ADDRESS_FIELD, HOST, PATH, REMEDY
from referee.doctor.report import CheckResult, fault, look, well
from referee.doctor.unit import how_to_start
from referee.settings import Settings

_SECONDS = 5.0


def look_at_metrics(settings: Settings) -> Iterator[CheckResult]:
    """Check the program that answers on the port of the metrics page, if there is one."""
    if settings.metrics is None:
        return
    port = settings.metrics.port
    try:
        address = _address_at(port)
    except ConnectionRefusedError:
        yield look(f"metrics: nothing listens on port {port}", how_to_start(settings))
        return
    except (OSError, HTTPException):
        address = None
    if address == settings.site.address:
        yield well(f"metrics: served on port {port}")
        return
    other = f"the referee of {address}" if address else "another program"
    yield fault(f"metrics: {other} uses port {port}", REMEDY, "setting", "metrics.port")


def _address_at(port: int) -> str | None:
    """Return the address of the referee that answers on the port, or None if none does.

    Raises OSError or HTTPException if the answer is not HTTP.
    """
    connection = HTTPConnection(HOST, port, timeout=_SECONDS)
    try:
        connection.request("GET", PATH)
        return connection.getresponse().headers.get(ADDRESS_FIELD)
    finally:
        connection.close()
