"""Registan: three Silk-Road games to play, study and script."""
