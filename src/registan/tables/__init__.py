"""Tables: seats, clocks, the log, undo, orders, fairness. No I/O, no system clock, no particular game."""
