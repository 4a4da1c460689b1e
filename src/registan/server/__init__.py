"""The house: HTTP and WebSocket, storage, the wiring between processes, bots at work. It knows nothing of rules."""
