"""What a strong player would say: why a move is good, and what a finished game was about."""
