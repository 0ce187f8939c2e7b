"""Markdown and documents: `parse` reads a page's text, `print_page` and its siblings write it."""

from __future__ import annotations

from octavo.content.markdown.parse import VERSION, parse
from octavo.content.markdown.parsed import Parsed, Resolve
from octavo.content.markdown.printer import print_blocks, print_head, print_page, put_together

__all__ = ["VERSION", "Parsed", "Resolve", "parse", "print_blocks", "print_head", "print_page", "put_together"]
