"""Finished games are put into the archive, and taken out of it when a director takes one up again."""
