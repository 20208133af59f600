"""The independent checker: reads a log as it stands and finds what must not be. Shares no code with what writes one."""
