"""The house: it serves tables over HTTP and WebSocket, stores them and sends notices. It knows no rules."""
