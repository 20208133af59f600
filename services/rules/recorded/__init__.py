"""Games recorded on 18xx.games: read, reduced, played through `decide` as native games, and compared."""
