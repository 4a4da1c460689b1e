"""The boards of samarkand: how they are drawn. See `draw.py`."""
