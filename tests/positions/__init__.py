"""The vocabulary in which tests describe a game in its middle, and read what happened in a move.

One module for each part. A method writes the facts that make its sentence true and asks no rule; nothing else follows
from it. A function reads what facts of one kind say. Tests name no events themselves, so that a reshaped event is mended
here alone."""
