"""Games recorded elsewhere (18xx.games): read, reduced, played through `decide` as native games, and compared."""
