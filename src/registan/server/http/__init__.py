"""HTTP: the REST routes, the errors they answer with, and the files of the web app."""
