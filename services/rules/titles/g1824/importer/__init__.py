"""Recorded games of 1824: the dialect in which 18xx.games writes them."""
