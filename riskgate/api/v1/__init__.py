"""Version 1 of the API: one resource a file, each with its table of routes."""
