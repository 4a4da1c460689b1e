"""How the boards of Samarkand are drawn. See `draw.py`."""
