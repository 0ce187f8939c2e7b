"""What attackers write: it is read within bounds, shown to those who may see it, and never lost."""

from __future__ import annotations

import pytest

from octavo.content import conditions
from octavo.content.document import Node, document, walk
from octavo.content.grids import HOLES, require_grids
from octavo.content.html import PlainContext, render
from octavo.content.html.math import mathml, written_again
from octavo.content.html.writer import WEIGHT
from octavo.content.importing import text as importing_text
from octavo.content.markdown import parse, print_page, wild
from octavo.content.markdown.printer_keep import content
from octavo.content.reading import as_read
from octavo.content.references import is_broken
from octavo.content.remarks import Reader
from tests.content.hostile import wide_table


class _Stranger(PlainContext):
    """Somebody for whom no condition holds."""

    def holds(self, expression: str) -> bool:
        return conditions.compile(expression).holds({"visitor": {"claims": {"unsigned": {}}}})


@pytest.mark.parametrize(
    "formula",
    [
        r"x^\operatorname{</math><iframe/src=https://evil/>}",
        r"x^\operatorname{</mo><iframe/><mo>}",
        r"x^\operatorname{<script>alert(1)</script>}",
        r"x^\operatorname{<!--}",
        r"x^\operatorname{</mo></msup></math><plaintext>}",
    ],
)
@pytest.mark.parametrize("display", [True, False])
def test_a_formula_holds_no_elements_but_its_own(formula: str, display: bool) -> None:
    made = mathml(formula, display)
    assert made.startswith(("<math", '<code class="math-error"'))
    for name in ("<iframe", "<script", "<plaintext", "<!--", "</math><"):
        assert name not in made


def test_mathml_is_written_by_a_list() -> None:
    kept = '<math display="block"><mi mathvariant="normal">a&lt;</mi><mspace width="1em"/></math>'
    assert written_again(kept) == kept
    assert written_again('<math onclick="x"><mi href="javascript:x" style="background:url(x)">a</mi></math>') == (
        "<math><mi>a</mi></math>"
    )
    assert written_again("<math><mtext><code>a</code></mtext></math>") == "<math><mtext><code>a</code></mtext></math>"
    for refused in (
        "<svg/>",
        "<math><svg/></math>",
        "<math><mi><code>a</code></mi></math>",
        "<math>",
        "<math><![CDATA[a]]></math>",
    ):
        assert written_again(refused) is None


@pytest.mark.parametrize("source", ["0x" + "f" * 300, "0o" + "7" * 900, "0b" + "1" * 2000, "1-0x" + "f" * 300])
def test_a_number_beyond_all_is_infinite(source: str) -> None:
    assert conditions.check(source) is None
    assert conditions.Expression(source).value({}) in (float("inf"), float("-inf"))
    assert conditions.printed(source, {}).endswith("Infinity")


@pytest.mark.parametrize("test", ["x == 'b'", "x < 1", "-x", "'abc'.includes(x)", "a[x]", "a.at(x)", "`${x}` === 'b'"])
def test_a_list_costs_what_is_in_it(test: str) -> None:
    nested = f"[[{','.join(['1'] * 1500)}]]"
    source = f"(x => 'a'.repeat(2000).split('').map(a => {test}))({nested})"
    with pytest.raises(conditions.ConditionError, match="too many steps"):
        conditions.Expression(source).value({})


def test_the_expressions_of_a_page_share_their_steps() -> None:
    costly = "[1,2,3,4,5,6,7,8].map(a => 'a'.repeat(300).split('').map(b => b)).join('').length > 1"
    assert conditions.compile(costly).holds({})
    page = parse("\n\n".join(f"{{% if {costly} %}}\nshown\n{{% endif %}}" for _ in range(500))).document
    shown = len(as_read(page, {}, {})["nodes"])
    assert 0 < shown < 500


@pytest.mark.parametrize("url", ["http://[", "https://[::1", "//[", "http://a]b", "http://\u2100.com"])
def test_an_address_that_is_none_is_broken(url: str) -> None:
    assert is_broken({"kind": "url", "url": url}, {}, {}, {}) in (True, False)
    assert is_broken({"kind": "url", "url": "http://["}, {}, {}, {})
    importing_text.pictures(f"![a]({url})", "https://example.org/")
    render(parse(f'[a](<{url}>)\n\n![a](<{url}>)\n\n{{% embed url="{url}" %}}\n').document, PlainContext())


def test_numbers_of_front_matter_are_finite() -> None:
    page = parse("---\ncoverHeight: .inf\ncoverY: -.inf\nvars:\n  a: .nan\n---\n\nText\n")
    assert page.front == {"coverHeight": ".inf", "coverY": "-.inf", "vars": {"a": ".nan"}}
    assert page.front == parse(page.source).front
    assert print_page(page.document, base=page) == page.source


def test_front_matter_that_is_too_wild_is_kept_and_told_of() -> None:
    for written in ("a: " + "[" * 100_000, "a: " + "{a: " * 20_000, "a: " + "b" * 100_000):
        page = parse(f"---\n{written}\n---\n\nText\n")
        assert page.front == {}
        assert "was not read" in page.warnings[0]
        assert print_page(page.document, base=page) == page.source


@pytest.mark.parametrize(
    "source",
    [
        "a {% if x %}secret{% endif %} b",
        "a {%if x%}secret{%endif%} b",
        "a {% if x %}\n\nsecret\n\n{% endif %}",
        "{% if x %}\nsecret {% endif %}",
        "{% if x %}\nsecret\n\nsecret",
        "# T {% if x %}secret{% endif %}",
        "## H {% if x %}secret{% endif %}",
        "- a {% if x %}secret\n- secret\n- secret {% endif %}",
        "|a|b|\n|-|-|\n|{% if x %}secret|{% endif %}|",
        "<table><tr><th>a{% if x %}secret{% endif %}</th></tr><tr><td>secret</td></tr></table>",
        "<table><tr><th>a</th></tr><tr><td>{% if x %}secret{% endif %}</td></tr></table>",
        '<table><tr><th data-type="select">a</th></tr><tr><td>{% if x %}secret{% endif %}</td></tr></table>',
        "<p>a {% if x %}secret{% endif %}</p>",
        "[{% if x %}secret{% endif %}](a)",
        "![{% if x %}secret{% endif %}](a)",
        "> a {% if x %}secret{% endif %}",
        "a[^1]\n\n[^1]: b {% if x %}secret{% endif %}",
        "<details><summary>a {% if x %}secret{% endif %}</summary>b</details>",
        "{% hint %}\na {% if x %}secret{% endif %}\n{% endhint %}",
        "**{% if x %}secret{% endif %}**",
        "{% if x %}\na\n{% else %}\nsecret\n{% endif %}",
    ],
)
def test_a_condition_within_text_shows_it_to_nobody(source: str) -> None:
    page = parse(f"{source}\n")
    stranger = {"visitor": {"claims": {"unsigned": {}}}}
    shown = print_page(as_read(page.document, {}, stranger), title=page.title)
    for told in (render(page.document, _Stranger()).html, shown, page.title or ""):
        assert "secret" not in told
    assert any("shown to nobody" in warning for warning in page.warnings)
    assert print_page(page.document, base=page) == page.source
    if "data-type" not in source:  # an option of that name is one more column's word for it
        again = parse(print_page(page.document, title=page.title))
        assert content(again.document) == content(page.document)


def test_what_follows_such_a_condition_is_shown() -> None:
    page = parse("a {% if x %}secret{% endif %}\n\nnext\n\n`{% if x %}` and \\{% if x %} are words\n")
    html = render(page.document, _Stranger()).html
    assert html.startswith("<p>next</p><p><code")
    assert "are words" in html
    assert len(page.warnings) == 1


def test_a_table_of_empty_cells_is_not_laid_out() -> None:
    page = parse(wide_table(156_000))
    assert "nearly empty" in page.warnings[0]
    assert len(render(page.document, PlainContext()).html) < 200_000
    regular = parse("<table>" + "<tr><td>a</td><td>b</td></tr>" * 2000 + "</table>")
    assert not regular.warnings
    heads = {f"c{n}": {"id": f"c{n}", "type": "text"} for n in range(500)}
    rows = {f"r{n}": {"values": {}, "orderIndex": str(n)} for n in range(500)}
    data: Node = {"view": {"type": "grid"}, "definition": heads, "records": rows}
    table: Node = {"object": "block", "type": "table", "data": data, "isVoid": True}
    assert len(heads) * len(rows) > HOLES
    with pytest.raises(ValueError, match="nearly empty"):
        require_grids(document([table]))
    assert len(render(document([table]), PlainContext()).html) < 200_000


def test_a_page_has_a_largest_size() -> None:
    blocks = parse("word [a](b) *c*\n\n" * 2000).document["nodes"]
    html = render(document([*blocks * 200]), PlainContext()).html
    assert len(html) < WEIGHT * 1.1
    assert html.count("<p>") == html.count("</p>") - html.count('<p class="page-cut"')
    assert "too large" in html[-200:]


@pytest.mark.parametrize("part", ["![a", "- a\n", "word ", "# a\n"])
def test_a_text_that_is_too_heavy_is_shown_as_it_is(part: str) -> None:
    source = f"---\nhidden: true\n---\n\n# Title\n\nBirds.\n\n{part * (4_000_000 // len(part))}"
    page = parse(source)
    assert (page.front, page.title) == ({"hidden": True}, "Title")
    assert page.warnings == [f"{wild.SENTENCE} (line 1)"]
    html = render(page.document, PlainContext()).html
    assert html.startswith("<p>Birds.")
    assert wild.SHOWN * 0.9 < len(html) < wild.SHOWN * 4
    assert print_page(page.document, base=page) == source
    renamed = print_page(page.document, title="Other", base=page)
    assert renamed == source.replace("# Title", "# Other")


def test_such_a_text_with_conditions_is_shown_to_nobody() -> None:
    page = parse("{% if x %}\nsecret\n{% endif %}\n\n" + "![a" * 200_000)
    assert render(page.document, _Stranger()).html == ""


def test_remarks_share_a_budget() -> None:
    reader, heavy = Reader(), "*a* [b](c) \n" * 900
    read = [reader.document(f"{heavy}{number}") for number in range(60)]
    marked = [any(leaf.get("marks") for node in walk(one) for leaf in node.get("leaves", ())) for one in read]
    assert marked[0]
    assert not marked[-1]
    assert "*a* [b](c)" in read[-1]["nodes"][0]["nodes"][0]["leaves"][0]["text"]
