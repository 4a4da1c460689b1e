"""Many games at once: simulations, arenas and reports."""
