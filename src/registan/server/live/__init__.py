"""Tables in memory: requests are granted, stored and sent to everybody who watches over a WebSocket."""
