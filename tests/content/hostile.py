"""Texts that nobody writes by hand: nesting, repetition, width, huge numbers, everything without its end."""

from __future__ import annotations

from collections.abc import Callable

Make = Callable[[int], str]
"""A text of about so many characters."""


def repeated(part: str, *, before: str = "", behind: str = "") -> Make:
    """One part again and again."""
    return lambda size: before + part * max(1, size // len(part)) + behind


def nested(start: str, end: str, inner: str = "a") -> Make:
    """Starts, and as many ends."""
    return lambda size: start * (size // (len(start) + len(end))) + inner + end * (size // (len(start) + len(end)))


def wide_table(size: int) -> str:
    """Few columns of heads, and rows of one cell."""
    return "<table><tr>" + "<th>a</th>" * (size // 20) + "</tr>" + "<tr><td>b</td></tr>" * (size // 40) + "</table>"


def pipes(size: int) -> str:
    width = max(1, size // 8)
    return "|" + "a|" * width + "\n|" + "-|" * width + "\n"


MARKDOWN: dict[str, Make] = {
    **{
        part: repeated(part)
        for part in (
            "![", "[", "[[]", "[a][", "![a][b", "[^a", "[a](", "[a](<", '[a](b "', "[a](b) ", "![a](b) ", "<![CDATA[",
            "- a\n", "1. a\n", "- [ ] a\n", "> ", "> a\nb\n", "- > - > a\n", "# a\n", "a\n=\n", "---\n", "```\n", "~~~",
            "*a", "_a ", "**a", "*a _b", "_*", "***", "`a", "~~a", "$$", "$$a", "$$\n", "$$x$$ ", "<", "<a ", "<b>", "<div>",
            "<td>", "<tr><td>", "<ul><li>", "<details>", '<a href="x">', "<!--", "<?", "<http://a", "&", "&a;", "\\", ":",
            ":smile:", "{%", "{% if ", "{% if a %}", "{% if a %}\n", "{% hint %}\n", "{% hint %}a", "{% endif %}", '{% hint "',
            "{% tabs %}\n{% tab %}\n", "[^a]: x\n", "[a]: b\n", "[a]: ", "|", "a|b\n-|-\n", "|a|b|\n", "\n", " ", "\t", "\r",
            "a", "word ", "\n\n## a\n\nb", "<code class=\"expression\">", "<mark>a</mark>", "\U0001f600", "\x00", "\u202e",
        )
    },
    "brackets that end": nested("[", "]"),
    "links in links": nested("[", "](b)"),
    "pictures in pictures": nested("![", "](b)"),
    "elements": nested("<b>", "</b>"),
    "blocks": nested("<div>\n", "</div>\n"),
    "tags": nested("{% hint %}\n", "{% endhint %}\n"),
    "conditions": nested("{% if x %}\n", "{% endif %}\n"),
    "a reference": repeated("[a][", before="[a]: b\n\n"),
    "a line of quotes": repeated("b\n", before=">" * 30 + "a\n"),
    "attributes": repeated('b="c" ', before="<a ", behind=">"),
    "attributes without end": repeated('b="', before="<a "),
    "a tag without end": repeated("'", before="{% hint ", behind=" %}"),
    "a wide table": wide_table,
    "wide pipes": pipes,
    "spans": repeated('<td colspan="100" rowspan="100">', before="<table><tr>"),
    "a formula": repeated("x^", before="$$", behind="$$"),
}  # fmt: skip

YAML: dict[str, Make] = {
    "lists": repeated("[", before="a: "),
    "lists that end": lambda size: "a: " + "[" * (size // 2) + "]" * (size // 2),
    "mappings": repeated("{a: ", before="a: "),
    "dashes": repeated("- ", before="a:\n"),
    "questions": repeated("? "),
    "keys": lambda size: "".join(f"k{number}: 1\n" for number in range(size // 8)),
    "indents": lambda size: "".join(" " * depth + "a:\n" for depth in range(int((2 * size) ** 0.5))),
    "anchors": repeated("*a,", before="a: &a [x]\nb: [", behind="]"),
    "merges": lambda size: (
        "a: &a {" + ",".join(f"k{number}: 1" for number in range(size // 14)) + "}\n"
        + "".join(f"b{number}:\n  <<: *a\n" for number in range(size // 32))
    ),
    "laughs": lambda size: (
        "a0: &a0 [" + ",".join(["x"] * 50) + "]\n"
        + "".join(f"a{one + 1}: &a{one + 1} [{','.join([f'*a{one}'] * 50)}]\n" for one in range(max(2, size // 250)))
    ),
    "digits": repeated("9", before="a: "),
    "hexadecimal": repeated("f", before="a: 0x"),
    "a quote": repeated("x", before='a: "'),
    "a block": repeated(" x\n", before="a: |\n"),
}  # fmt: skip

CONDITIONS: dict[str, Make] = {
    "hexadecimal": repeated("f", before="0x"),
    "octal": repeated("7", before="0o"),
    "digits": repeated("9"),
    "an exponent": repeated("9", before="1e"),
    "nots": repeated("!", behind="a"),
    "brackets": nested("(", ")"),
    "lists": nested("[", "]"),
    "a list": repeated('"b",', before='"a" in [', behind="]"),
    "members": repeated(".b", before="a"),
    "calls": repeated("()", before="a"),
    "choices": repeated("a?b:", behind="c"),
    "sums": repeated("1+", behind="1"),
    "ands": repeated("a&&", behind="a"),
    "a template": repeated("${a}", before="`", behind="`"),
    "templates": repeated("`${"),
    "comments": repeated("/*"),
    "escapes": repeated("\\", before='"'),
    "parameters": repeated("a,", before="(", behind="a)=>1"),
    "an object": repeated("a:1,", before="{", behind="}"),
}

FORMULAS: dict[str, Make] = {
    part: repeated(part) for part in ("{", "\\frac", "x^", "\\left(", "\\begin{matrix}", "a&", "\\\\", "\\text{", "_{")
} | {"braces": nested("{", "}"), "fractions": nested("\\frac{a}{", "}"), "roots": nested("\\sqrt{", "}")}

SUMMARIES: dict[str, Make] = {
    part: repeated(part)
    for part in ("* [a](b.md)\n", "* [", "  * a\n", "* ", "## a\n", "[a](", "```yaml\n", "> ", "<a id='x'>", "![")
} | {"a staircase": lambda size: "".join("  " * depth + "* [a](b.md)\n" for depth in range(int(size**0.5)))}
