"""HTML written as Markdown: what it says survives, what is around it goes, and hostile markup costs little."""

from __future__ import annotations

import contextlib
import cProfile
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from octavo.content.document import Node, plain, walk
from octavo.content.importing import Refused, html
from octavo.content.markdown import parse


def same(href: str, picture: bool) -> str:
    return href


def written(body: str, **options: Any) -> str:
    """The Markdown of a page with this text."""
    return html.page(f"<html><body><main>{body}</main></body></html>".encode(), same, **options)[1].strip("\n")


def nodes(body: str) -> list[Node]:
    """The blocks that the Markdown reads as."""
    found: list[Node] = parse(written(body)).document["nodes"]
    return found


PAIRS = {
    "<p>one\n two</p><p>three</p>": "one two\n\nthree",
    "<h2>Sub</h2><h3>Low</h3>": "## Sub\n\n### Low",
    "<h2 id='other'>Sub</h2>": '## Sub <a href="#other" id="other"></a>',
    "<h2 id='sub'>Sub<a class='headerlink' href='#sub'>¶</a></h2>": "## Sub",
    "<p><strong>b</strong> <em>i</em> <del>d</del> <code>a`b</code></p>": "**b** *i* ~~d~~ ``a`b``",
    "<p>H<sub>2</sub>O <kbd>Ctrl</kbd></p>": "H<sub>2</sub>O <kbd>Ctrl</kbd>",
    "<p>a<br>b</p>": "a\\\nb",
    "<p><a href='b c.html'>x [y]</a> <a>z</a> <a href='javascript:alert(1)'>j</a></p>": "[x \\[y\\]](<b c.html>) z j",
    "<p><img src='a.png' alt='x]y'></p>": "![x\\]y](a.png)",
    "<p><img data-src='real.png' src='data:image/gif;base64,AA' alt=''></p>": "![](real.png)",
    "<ul><li>a<ul><li>b<ol start='3'><li>c<li><p>d</p><p>e</p></ol></ul><li>f</ul>":
        "* a\n  * b\n    3. c\n    4. d\n\n       e\n* f",
    "<ul><li><input type='checkbox' checked> a</li><li><input type='checkbox'> b</li></ul>": "* [x] a\n* [ ] b",
    "<pre><code class='language-python'>def f():\n    return '&lt;'\n</code></pre>":
        "```python\ndef f():\n    return '<'\n```",
    "<div class='highlight highlight-source-js'><pre>let <b>a</b>;</pre></div>": "```js\nlet a;\n```",
    "<div class='highlight-bash notranslate'><div class='highlight'><pre>$ ls</pre></div></div>": "```bash\n$ ls\n```",
    "<pre data-syntaxhighlighter-params='brush: java; gutter: false'>int x;</pre>": "```java\nint x;\n```",
    "<pre>a<br>b ``` c</pre>": "````\na\nb ``` c\n````",
    "<table class='highlighttable'><tr><td class='linenos'><pre>1</pre></td><td><pre>x</pre></td></tr></table>":
        "```\nx\n```",
    "<blockquote><p>a</p><p>b</p></blockquote>": "> a\n>\n> b",
    "<dl><dt>T</dt><dd>D</dd></dl>": "**T**\n\nD",
    "<div class='admonition warning'><p class='admonition-title'>Warning</p><p>Mind</p></div>":
        '{% hint style="warning" %}\nMind\n{% endhint %}',
    "<div class='theme-admonition theme-admonition-tip alert alert--success'><p>Do</p></div>":
        '{% hint style="success" %}\nDo\n{% endhint %}',
    "<details><summary>More <b>of</b> it</summary><p>Text</p></details>":
        "<details>\n\n<summary>More of it</summary>\n\nText\n\n</details>",
    "<figure><img src='a.png' alt='A'><figcaption>The <i>egg</i></figcaption></figure>":
        '<figure><img src="a.png" alt="A"><figcaption><p>The egg</p></figcaption></figure>',
    "<iframe src='https://video.example/1'></iframe>": '{% embed url="https://video.example/1" %}',
    "<table><tr><th>a<th>b<tr><td>1|2<td><code>c|d</code></table>":
        "| a | b |\n| --- | --- |\n| 1\\|2 | `c\\|d` |",
    "<table><tr><th>a</th></tr><tr><td rowspan=2>b<ul><li>c</ul></td></tr></table>":
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td rowspan="2">b<ul><li>c</li></ul></td></tr></tbody></table>',
    "<table><tr><td><h2>Box</h2><p>In it</p></td></tr></table>": "## Box\n\nIn it",
    "<div class='tabbed-set'><div class='tabbed-labels'><label>A</label><label>B</label></div><div class='tabbed-content'>"
    "<div class='tabbed-block'>1</div><div class='tabbed-block'>2</div></div></div>":
        '{% tabs %}\n{% tab title="A" %}\n1\n{% endtab %}\n\n{% tab title="B" %}\n2\n{% endtab %}\n{% endtabs %}',
}  # fmt: skip


@pytest.mark.parametrize("body", PAIRS)
def test_each_element_as_markdown(body: str) -> None:
    assert written(body) == PAIRS[body]


TEXTS = st.text(
    st.sampled_from(list("ab1.)-+*_~`#>|<&;:!$\\[](){%}= \"'/\n")) | st.characters(exclude_categories=("C", "Z")),
    max_size=40,
).filter(lambda text: bool(text.strip()))


@example("#", "<h2>{}</h2>")
@example("a #", "<h2>{}</h2>")
@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(["<p>{}</p>", "<ul><li>{}</li></ul>", "<p>x <b>y</b>{}</p>", "{}", "<h2>{}</h2>"]))
def test_any_text_reads_back_as_itself(text: str, shape: str) -> None:
    """Nothing that people wrote turns into markup."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    body = shape.format(escaped)
    said = " ".join((("x y" if "<b>" in shape else "") + " ".join(text.split(" "))).split())
    made = " ".join(" ".join(plain(node) for node in nodes(body)).split())
    assert made.replace(" ", "") == said.replace(" ", ""), written(body)
    kinds = {node["type"] for node in nodes(body)}
    assert kinds <= {"paragraph", "list-unordered", "heading-1"}, written(body)


def test_the_text_of_a_page_is_found_and_its_title() -> None:
    page = (
        b"<title>Install &mdash; Herons | Docs</title><header>Site</header><nav>Menu</nav><aside>Side</aside>"
        b"<div role='navigation'>More</div><article><h1>Install <a href='#i'>#</a></h1><p>Do it.</p>"
        b"<h1>Again</h1><h2>Low</h2></article><footer>2026</footer><script>1</script>"
    )
    assert html.page(page, same) == ("Install", "Do it.\n\n## Again\n\n### Low\n")
    assert html.page(page, same, titled=True)[0] is None
    assert html.page(b"<title>Install | Docs</title><p>Do it.</p>", same) == ("Install", "Do it.\n")
    blog = b"<body><main><article>One</article><article>Two</article></main></body>"
    assert html.page(blog, same)[1] == "One\n\nTwo\n"


def test_addresses_are_those_of_the_document_s_base() -> None:
    page = b"<base href='https://a.example/x/'><p><a href='b#c'>b</a> <a href='#d'>d</a></p><img src='e.png'>"
    assert html.page(page, same)[1] == "[b](https://a.example/x/b#c) [d](#d)\n\n![](https://a.example/x/e.png)\n"
    assert html.pictures(page, "https://other.example/") == ["https://a.example/x/e.png"]


@pytest.mark.parametrize("data", [b"", b"plain words", b"\0\1\2", b"<p></p>", b"<!-- only -->"])
def test_what_is_no_page_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        html.page(data, same)


@pytest.mark.parametrize(
    "data",
    [
        b"<div>" * 50_000 + b"x",
        b"<table><tr><td>" * 80 + b"x",
        b"<ul><li>" * 120 + b"x",
        b"<div class='tabs-container'><div role='tab'>a</div><div role='tabpanel'>" * 120 + b"x",
        b"<b>" * 240 + b"x",
        b"<ol>" + b"<li>x" * 3_000,
        b"<p>" + b"[" * 20_000,
        b"<p>&amp;" * 5_000,
    ],
    ids=["div", "table", "list", "tabs", "bold", "items", "brackets", "paragraphs"],
)
def test_hostile_markup_is_read_or_refused_in_little_time(data: bytes) -> None:
    started = time.process_time()
    with contextlib.suppress(Refused):
        html.page(data, same)
    assert time.process_time() - started < 8


def test_small_elements_within_one_another_cost_what_they_are() -> None:
    """Once each element asked for all that was around it: deep ones took three times as long as others."""

    def calls(depth: int) -> int:
        data = b"<p>" + (b"<b>" * depth + b"x " + b"</b>" * depth) * (1_000 // depth)
        profile = cProfile.Profile()
        profile.runcall(html.page, data, same)
        return sum(entry.callcount for entry in profile.getstats())

    calls(10)
    assert calls(200) < 1.3 * calls(10)


def test_no_markup_of_a_page_reaches_readers_as_markup() -> None:
    made = written(
        "<p onclick='x()'>a<script>b</script></p><p>&lt;script&gt;c&lt;/script&gt; {% hint %} d</p>"
        "<table><tr><td rowspan='2 onload=x'>e<svg/onload=f><a href='g' onclick='h'>i</a></td><td>j</td></tr></table>"
    )
    assert "onclick" not in made
    assert "onload=f" not in made
    assert all(node["type"] in ("paragraph", "table") for node in parse(made).document["nodes"])
    assert {node["type"] for node in walk(parse(made).document) if node["object"] == "inline"} <= {"link"}
