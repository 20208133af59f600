"""The vocabulary in which tests describe a game in its middle: who holds what, which company runs, where tokens stand.

One module for each part. A method writes the facts that make its sentence true and asks no rule; nothing else follows
from it. Tests write no facts themselves, so that a reshaped event is mended here alone."""
