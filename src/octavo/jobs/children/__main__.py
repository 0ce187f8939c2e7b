"""`python -m octavo.jobs.children MODULE`: a child process; apart, so that what a module imports is the same `inside`."""

from octavo.jobs.children.inside import main

main()
