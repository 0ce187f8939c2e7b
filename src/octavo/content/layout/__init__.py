"""A documentation repository, read: a directory of files -> the entries of a revision."""

from octavo.content.layout.again import reread
from octavo.content.layout.identity import Previous, previous_of
from octavo.content.layout.read import Layout, counted, read
from octavo.content.layout.report import Notice, Report
from octavo.content.layout.source import Mapped, Source

__all__ = ["Layout", "Mapped", "Notice", "Previous", "Report", "Source", "counted", "previous_of", "read", "reread"]
