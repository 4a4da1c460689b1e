"""What the project is made with: the commands of the Makefile, pictures, a real house for tests."""
