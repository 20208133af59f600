"""What is said where no broker can be had."""

from services.common.errors import SignalboxError


class WayClosed(SignalboxError):
    """One way to a broker cannot be gone on this machine; the message says why."""


class BrokersMissing(SignalboxError):
    """No way leads to a broker; one line names each and what it lacks."""
