"""What all games share: compilation, chance, the contract of a game, matches and records."""
