"""HTML written as Octavo's Markdown: `markdownify` with Octavo's own rules for what text must be escaped."""

from __future__ import annotations

import re
from functools import partial

from bs4 import Tag
from bs4.element import NavigableString
from markdownify import MarkdownConverter

from octavo.content.importing import text as texts
from octavo.content.markdown import printer_escape as escape
from octavo.content.slugs import slugify

_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "figure", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
))  # fmt: skip
_ROOTS = _BLOCKS | {"body", "[document]"}
_HINTS = {
    "info": "info", "note": "info", "information": "info", "tip": "success", "success": "success", "hint": "success",
    "important": "warning", "warning": "warning", "caution": "warning", "danger": "danger", "error": "danger",
}  # fmt: skip
_HINTED = re.compile(r"^(?:admonition|theme-admonition|alert|markdown-alert|callout|hint|confluence-information-macro|"
                     r"starlight-aside)$")  # fmt: skip
_LANGUAGE = re.compile(r"^(?:language|lang|highlight-source|highlight|brush)[-:]([\w+#.-]+)$")
_BRUSH = re.compile(r"brush:\s*([\w+#.-]+)")
_NO_LANGUAGE = frozenset(("none", "text", "plain", "plaintext", "default", "notranslate", "highlight"))
_WEB = re.compile(r"(?!(?:javascript|vbscript|data|about|blob):)", re.IGNORECASE)
_IN_CELL = frozenset((
    "a", "b", "strong", "i", "em", "code", "kbd", "sub", "sup", "del", "s", "br", "ul", "ol", "li", "p", "img",
))  # fmt: skip
TABS, TAB = "data-octavo-tabs", "data-octavo-tab"
"""Attributes of what holds tabs, and of a tab, whose value is its title."""
_CELL_ATTRIBUTES = {"a": ("href",), "img": ("src", "alt")}


# The library's stubs leave out the very methods that are there to be overridden.
class Writer(MarkdownConverter):
    """Writes what Markdown has as Markdown, and the rest as the HTML and the tags that Octavo reads."""

    def __init__(self) -> None:
        # `wrap` without a width makes every run of white space one space, and leaves line breaks that are meant.
        super().__init__(
            heading_style="atx", bullets="*", newline_style="backslash", wrap=True, wrap_width=None, autolinks=False
        )
        self._followed = False

    def convert_soup(self, soup: Tag) -> str:
        # The library asks each element whether it lies in a `pre`, for which bs4 looks at all that is around it: of deep pages
        # that was half of the time. It is found out once.
        inside: set[int] = set()
        for pre in soup.find_all("pre"):
            if id(pre) not in inside:
                inside.update(map(id, pre.find_all(True)))
        for one in soup.find_all(True):
            vars(one)["find_parent"] = partial(_parent, one, id(one) in inside)
        made: str = super().convert_soup(soup)
        return made

    def escape(self, text: str, parent_tags: set[str]) -> str:
        return escape.markdown(text, followed=self._followed, linked="a" in parent_tags)

    def process_text(self, el: NavigableString, parent_tags: set[str] | None = None) -> str:
        self._followed = el.next_sibling is not None or (el.parent is not None and el.parent.name not in _ROOTS)
        made: str = super().process_text(el, parent_tags=parent_tags)  # type: ignore[misc]
        inside = parent_tags or set()
        if not made.strip() and any(
            isinstance(near, Tag) and near.name in _BLOCKS for near in (el.previous_sibling, el.next_sibling)
        ):
            return made if "pre" in inside else ""
        if isinstance(el.previous_sibling, Tag) and el.previous_sibling.name == "input":
            made = made.lstrip(" ")
        return escape.line_starts(made) if _begins(el) and not inside & {"_noformat", "_inline"} else made

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if "_noformat" in parent_tags:
            return text
        href, before, behind, said = str(el.get("href") or ""), text[:1].isspace(), text[-1:].isspace(), text.strip()
        if not said or not href or not _WEB.match(href):
            return text
        return " " * before + f"[{said}]({escape.destination(href)})" + " " * behind

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        alt = " ".join(str(el.get("alt") or "").split())
        return f"![{escape.markdown(alt, followed=True, linked=True)}]({escape.destination(str(el.get('src')))})"

    def convert_code(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if "_noformat" in parent_tags:
            return text
        text = " ".join(text.split("\n"))
        return escape.backticked(text) if text.strip() else text

    convert_samp = convert_tt = convert_code

    def convert_kbd(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"<kbd>{escape.html(text)}</kbd>" if text and "_noformat" not in parent_tags - {"kbd"} else text

    def convert_sub(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"<sub>{text}</sub>" if text.strip() and "_noformat" not in parent_tags else text

    def convert_sup(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"<sup>{text}</sup>" if text.strip() and "_noformat" not in parent_tags else text

    def convert_input(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if el.get("type") != "checkbox" or "li" not in parent_tags:
            return ""
        return "[x] " if el.has_attr("checked") else "[ ] "

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        for line_break in el.find_all("br"):
            line_break.replace_with("\n")
        code = el.get_text().strip("\n").replace("\r", "")
        if not code.strip():
            return ""
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", code))) if "`" in code else "```"
        return f"\n\n{fence}{_language(el)}\n{code}\n{fence}\n\n"

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: set[str]) -> str:
        made: str = super().convert_hN(n, el, escape.heading(text.rstrip()), parent_tags)  # type: ignore[misc]
        id_ = str(el.get("id") or "")
        if not made.startswith("\n") or not re.fullmatch(r"[\w.:-]+", id_) or id_ == slugify(el.get_text()):
            return made
        return f'{made.rstrip()} <a href="#{id_}" id="{id_}"></a>\n\n'

    def convert_div(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if text.strip() and not parent_tags & {"_inline", "li"}:
            if TABS in el.attrs:
                return f"\n\n{{% tabs %}}\n{text.strip()}\n{{% endtabs %}}\n\n"
            if TAB in el.attrs:
                title = escape.quoted(el[TAB])
                return f"\n\n{{% tab title={title} %}}\n{text.strip()}\n{{% endtab %}}\n\n"
        style = _hint(el)
        if style and text.strip() and not parent_tags & {"_inline", "li"}:
            return f'\n\n{{% hint style="{style}" %}}\n{text.strip()}\n{{% endhint %}}\n\n'
        made: str = super().convert_div(el, text, parent_tags)  # type: ignore[misc]
        return made

    convert_aside = convert_article = convert_section = convert_main = convert_header = convert_div

    def convert_details(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if "_inline" in parent_tags or "li" in parent_tags:
            return f"\n\n{text.strip()}\n\n"
        summary = el.find("summary")
        said = " ".join(summary.get_text(" ", strip=True).split()) if summary is not None else ""
        return (
            f"\n\n<details>\n\n<summary>{escape.html(said or 'Details')}</summary>\n\n{text.strip()}\n\n</details>\n\n"
        )

    def convert_summary(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return "" if "li" not in parent_tags and "_inline" not in parent_tags else text

    def convert_figure(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        image, caption = el.find("img"), el.find("figcaption")
        if image is None or caption is None or el.find(["table", "pre"]) or "_inline" in parent_tags:
            return f"\n\n{text.strip()}\n\n"
        drawn = f"<img{escape.attributes(src=image.get('src'), alt=image.get('alt') or '')}>"
        said = escape.html(" ".join(caption.get_text(" ", strip=True).split()))
        return f"\n\n<figure>{drawn}<figcaption><p>{said}</p></figcaption></figure>\n\n"

    def convert_iframe(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        source = str(el.get("src") or "")
        if not source.startswith(("https://", "http://")) or parent_tags & {"_inline", "li"}:
            return ""
        return f"\n\n{{% embed url={escape.quoted(source)} %}}\n\n"

    def convert_dt(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"\n\n**{text.strip()}**\n\n" if text.strip() else ""

    def convert_dd(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"\n\n{text.strip()}\n\n" if text.strip() else ""

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return " " + texts.cell(" ".join(text.split())) + " |"

    convert_th = convert_td

    def convert_table(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if "_inline" in parent_tags or el.find(["td", "th"]) is None:
            return text
        if not _plain(el) or "li" in parent_tags:
            return f"\n\n{_html(el)}\n\n"
        made: str = super().convert_table(el, text, parent_tags)  # type: ignore[misc]
        return made


def _parent(node: Tag, preformatted: bool, name: str) -> Tag | bool | None:
    return preformatted if name == "pre" else Tag.find_parent(node, name)


def _begins(el: NavigableString) -> bool:
    """Whether a text is the first in its block, where characters could start a list or a heading."""
    before = el.previous_sibling
    return (
        el.parent is not None
        and el.parent.name in _ROOTS
        and (before is None or (isinstance(before, Tag) and before.name in _BLOCKS | {"br"}))
    )


def _classes(el: Tag) -> list[str]:
    held = el.get("class")
    return [str(name) for name in held] if isinstance(held, list) else str(held or "").split()


def _language(pre: Tag) -> str:
    """The language of a block of code, as highlighters note it on the block, inside of it or around it."""
    code = pre.find("code")
    near = [one for one in (code, pre, pre.parent, pre.parent.parent if pre.parent else None) if isinstance(one, Tag)]
    for one in near:
        for name in ("data-lang", "data-language", "data-syntaxhighlighter-params"):
            if value := str(one.get(name) or ""):
                brush = _BRUSH.search(value)
                return brush[1] if brush else value if re.fullmatch(r"[\w+#.-]+", value) else ""
        for name in _classes(one):
            if (found := _LANGUAGE.match(name)) and found[1] not in _NO_LANGUAGE:
                return found[1]
    return ""


def _hint(el: Tag) -> str | None:
    """The style of a hint that an element is, by the classes that generators of documentation give it."""
    names = _classes(el)
    if not any(_HINTED.match(name) for name in names):
        return None
    parts = [name.lower().rpartition("-")[2] for name in names if not _HINTED.match(name)]
    return next((_HINTS[part] for part in parts if part in _HINTS), "info")


def _plain(table: Tag) -> bool:
    """Whether a table of Markdown can hold it: each cell one line, none that reaches over others."""
    if table.find(["ul", "ol", "pre", "table", "br", "details", "figure", "blockquote"]):
        return False
    cells = table.find_all(["td", "th"])
    spans = any(str(cell.get(name) or "1") != "1" for cell in cells for name in ("rowspan", "colspan"))
    return not spans and all(len(cell.find_all("p")) < 2 for cell in cells)


def _html(table: Tag) -> str:
    """The table as clean HTML on one line, which Octavo reads with cells that span and hold lists."""
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
    cells = [[cell for cell in row.find_all(["td", "th"]) if cell.find_parent("table") is table] for row in rows]
    head = cells[:1] if all(cell.name == "th" for cell in cells[0]) else []
    body = cells[len(head) :]
    made = [f"<thead>{_row(row, 'th')}</thead>" for row in head]
    if body:
        made.append("<tbody>" + "".join(_row(row, "td") for row in body) + "</tbody>")
    return f"<table>{''.join(made)}</table>"


def _row(cells: list[Tag], name: str) -> str:
    made: list[str] = []
    for cell in cells:
        spans = {span: cell.get(span) for span in ("rowspan", "colspan") if str(cell.get(span) or "1") != "1"}
        made.append(f"<{name}{escape.attributes(**spans)}>{_inner(cell)}</{name}>")
    return f"<tr>{''.join(made)}</tr>"


def _inner(el: Tag) -> str:
    """What an element of a cell holds, with the few elements that Octavo reads there."""
    made: list[str] = []
    for child in el.children:
        if not isinstance(child, Tag):
            if type(child) is NavigableString:
                made.append(escape.html(re.sub(r"\s+", " ", str(child))))
        elif child.name == "pre":
            lines = [escape.html(line) for line in child.get_text().strip("\n").split("\n")]
            made.append("<code>" + "</code><br><code>".join(line or " " for line in lines) + "</code>")
        elif child.name == "p" and len(list(el.find_all(True, recursive=False))) == 1:
            made.append(_inner(child))
        elif child.name in _IN_CELL:
            given = {name: child.get(name) for name in _CELL_ATTRIBUTES.get(child.name, ())}
            closing = "" if child.name in ("br", "img") else f"</{child.name}>"
            made.append(f"<{child.name}{escape.attributes(**given)}>{_inner(child)}{closing}")
        else:
            made.append(_inner(child))
    return "".join(made).strip() if el.name in ("td", "th") else "".join(made)
