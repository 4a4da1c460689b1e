"""`python -m registan` is `registan`."""

from registan.cli import main

main()
