"""Markdown and documents: `parse` reads a page's text, `print_page` and `print_blocks` write it."""

from __future__ import annotations

from octavo.content.markdown.parse import parse
from octavo.content.markdown.parsed import Parsed, Resolve
from octavo.content.markdown.printer import print_blocks, print_page

__all__ = ["Parsed", "Resolve", "parse", "print_blocks", "print_page"]
