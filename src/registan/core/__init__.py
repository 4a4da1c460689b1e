"""What every game shares: compilation, chance, the contract of a game, matches and records."""
