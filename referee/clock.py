"""The clock: the only module that reads the time of day."""

import ctypes
from datetime import UTC, datetime
from typing import Final

_TIME_ERROR: Final = 5
_UNSYNCHRONISED: Final = 0x40
_NEAR_SECONDS: Final = 60.0


def now() -> datetime:
    """Return the current time in UTC, with its zone."""
    return datetime.now(UTC)


class _Timex(ctypes.Structure):
    """The kernel's state of its clock, as adjtimex(2) gives it, and room for the rest of it."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        *((name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")),
        ("status", ctypes.c_int),
        *((name, ctypes.c_long) for name in ("constant", "precision", "tolerance")),
        *((name, ctypes.c_long) for name in ("seconds", "fraction")),
        ("rest", ctypes.c_long * 32),
    )


def is_synchronised(moment: datetime) -> bool:
    """Return whether the system says that its clock is synchronised, and shows *moment*.

    Programs such as systemd-timesyncd, chrony and ntpd tell the kernel so. Setting the clock by
    hand ends it. The kernel's time is compared, because ours may come from elsewhere.
    """
    state = _Timex()
    try:
        code = ctypes.CDLL(None).adjtimex(ctypes.byref(state))
    except (OSError, AttributeError):
        # This is no Linux.
        return False
    is_good = code not in (-1, _TIME_ERROR) and not state.status & _UNSYNCHRONISED
    return bool(is_good and abs(moment.timestamp() - state.seconds) < _NEAR_SECONDS)
