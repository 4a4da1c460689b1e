"""The report of a game: one page with pictures of what happens when bots play it thousands of times."""
