"""Faults done on purpose to a whole cluster while games are played, and the proof that nothing was lost."""
