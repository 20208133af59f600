"""What a clock policy can hold, as a message."""

from services.gen.signalbox.lobby.v1 import lobby_service_pb2 as wire
from services.lobby.domain import clock_policies
from services.lobby.domain.table_requests import TURN_SECONDS_MAX


def clock_rules_message(rules: clock_policies.ClockRules) -> wire.GetClockRulesResponse:
    """What tables can have on a host with these rules."""
    return wire.GetClockRulesResponse(
        turn_seconds_max=TURN_SECONDS_MAX,
        seconds_max=clock_policies.SECONDS_MAX,
        parts_max=clock_policies.PARTS_MAX,
        windows_max=clock_policies.WINDOWS_MAX,
        hours_per_week_max=clock_policies.WEEK_HOURS,
        vacation_days_max=clock_policies.DAYS_MAX,
        penalty_amount_max=clock_policies.AMOUNT_MAX,
        expiry_actions=rules.possible_steps,
        zones=rules.zones,
        usual_policy=clock_policies.usual_policy(),
    )
