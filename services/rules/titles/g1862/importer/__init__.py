"""Recorded games of 1862: the dialect in which 18xx.games writes them."""
