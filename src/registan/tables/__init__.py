"""Who sits where: seats, clocks, the log, undo, standing orders, fairness. No files, no sockets, no clock, no game."""
