"""Markdown and documents: `parse` reads a page's text, `print_page` and `print_blocks` write it."""

from __future__ import annotations

from octavo.content.markdown.parse import parse
from octavo.content.markdown.parsed import Parsed, Resolve

__all__ = ["Parsed", "Resolve", "parse"]
