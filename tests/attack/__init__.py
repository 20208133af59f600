"""Attacks on the embedded host, and what an honest player notices of them: `make attack`."""
