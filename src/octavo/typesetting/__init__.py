"""Typesetting: all that speaks to Typst, and what becomes of the PDFs that it makes.

Books (`press.py`, with `pictures.py` ahead of it and `binding.py` behind it) are set within the limits of a child process;
pictures (`drawing.py`) in the server itself, from sheets and short texts of its own.
"""
