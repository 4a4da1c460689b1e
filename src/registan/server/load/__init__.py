"""Load tests: many tables of people who are not there, and what a house makes of them."""
