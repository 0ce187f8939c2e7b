"""Translating documents: what of a page is words, how these are handed to a translator, and how answers come back into it.

`marked` writes words with placeholders for all that is not translated, and reads answers; `documents` takes documents
apart and puts them together; `pages` does so for the entries of a revision.
"""
