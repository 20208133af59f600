"""Imports games recorded on 18xx.games: reads, reduces, plays them through `decide` as native games, and compares traces."""
