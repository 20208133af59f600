"""Moves games between platforms: exports that are signed, and files whose games go on here."""
