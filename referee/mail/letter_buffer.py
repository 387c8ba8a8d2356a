"""The bytes of a letter while it arrives."""

from referee.domain.mail_transfer import BEGINNING_OCTETS, MOST_OCTETS


class LetterBuffer:
    """A letter as it arrives; of one that is too big to be read, only the beginning is held.

    ``size`` is the number of bytes that have arrived, ``held`` how many of them are in memory.
    """

    def __init__(self) -> None:
        self.size = 0
        self._octets = bytearray()

    @property
    def held(self) -> int:
        """Return how many bytes are in memory."""
        return len(self._octets)

    def add(self, octets: bytes) -> None:
        """Add the next bytes."""
        if self.size <= MOST_OCTETS:
            self._octets += octets
        self.size += len(octets)
        if self.size > MOST_OCTETS:
            del self._octets[BEGINNING_OCTETS:]

    def take(self) -> bytes:
        """Return the bytes that are held, and hold them no longer."""
        octets = bytes(self._octets)
        self._octets = bytearray()
        return octets
