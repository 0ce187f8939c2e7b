"""Where pure content meets storage: the pages and files of a revision, and the heads that move."""
