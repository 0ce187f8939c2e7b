"""Content of other systems, read: what was fetched -> pages in Octavo's Markdown, in a tree, and the files they show.

Nothing here reaches out: whoever calls brings the bytes. Hostile input costs time and memory, so it is read in a child
process with limits; `assemble` does it, and is not imported here because its parsers are slow to load.
"""

from octavo.content.importing.model import Found, Imported, ImportedPage, Origin, Refused, Target

__all__ = ["Found", "Imported", "ImportedPage", "Origin", "Refused", "Target"]
