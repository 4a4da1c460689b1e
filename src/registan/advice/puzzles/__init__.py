"""Puzzles: positions in which one move is clearly the best, and not the one that looks best at a glance."""
