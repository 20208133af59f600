"""The independent log checker: reads an existing log and reports inconsistencies. Shares no code with the writers."""
