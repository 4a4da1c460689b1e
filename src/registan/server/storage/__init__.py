"""Logs of tables in SQLite or PostgreSQL, saves of running tables, and announcements between processes."""
