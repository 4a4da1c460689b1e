"""Notices that tell people it is their turn: preferences, delivery, web push and webhooks."""
