"""Many games at once: what happens when nobody watches, counted."""
