"""Hostile content, made large: every address and every piece of HTML that could run, in every place that takes text."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.content.test_html_safety import HTML, URLS

SOURCE = Path(__file__).parent / "hostile"
GENERATED = ("links", "words", "attributes", "blocks")
"""Pages beside those of the folder, by name; each ends with a paragraph that says so."""

# X stands for the hostile text. A quote in it would end an attribute, which is what some of the texts are for.
LINKS = (
    "[x](<X>)",
    '[x](X "title")',
    "<X>",
    "![x](<X>)",
    '<a href="X">x</a>',
    "<img src='X' alt='x'>",
    '<a href="X" class="button primary" data-icon="X">x</a>',
    '<figure><picture><source srcset="X" media="(prefers-color-scheme: dark)"><img src="X" alt="x"></picture></figure>',
    '{% embed url="X" %}',
    '{% file src="X" %}',
    '{% content-ref url="X" %}\n[x](X)\n{% endcontent-ref %}',
    '{% include "X" %}',
    '{% openapi src="X" path="X" method="get" %}\n{% endopenapi %}',
)
WORDS = (
    'Text X **bold X** `code X` ~~gone X~~ <mark style="background-color:X;">mark X</mark>',
    "## Heading X",
    "- item X\n- [ ] task X",
    "> quote X",
    "| X | b |\n| --- | --- |\n| c | X |",
    "$$X$$ and $$\\text{X}$$",
    "```js\nX\n```",
    "~~~X\ncode\n~~~",
    ':X: <i class="fa-X">:X:</i>',
    "![X](.gitbook/assets/none.png 'X')",
    "Note[^n].\n\n[^n]: X",
    "X",
)
ATTRIBUTES = (
    '{% hint style="X" icon="X" %}\nHint\n{% endhint %}',
    '{% code title="X" overflow="X" lineNumbers="X" %}\n```X\ncode\n```\n{% endcode %}',
    '{% tabs %}\n{% tab title="X" icon="X" %}\nTab\n{% endtab %}\n{% endtabs %}',
    "{% stepper %}\n{% step %}\n### X\n\nX\n{% endstep %}\n{% endstepper %}",
    '{% columns %}\n{% column width="X" valign="X" %}\nX\n{% endcolumn %}\n{% endcolumns %}',
    '{% updates format="X" %}\n{% update date="X" tags="X" %}\n## X\n{% endupdate %}\n{% endupdates %}',
    '{% prompt description="X" icon="X" %}\nX\n{% endprompt %}',
    '{% openapi-operation spec="X" path="X" method="X" %}\n{% endopenapi-operation %}',
    '{% openapi-schemas spec="X" schemas="X" %}\n{% endopenapi-schemas %}',
    '{% @vendor/block url="X" title="X" %}',
    "{% if X %}\nIf\n{% endif %}",
    '<code class="expression">X</code>',
)
BLOCKS = (
    "<details><summary>X</summary>X</details>",
    '<div align="X" data-full-width="X"><figure><img src="none.png" alt="X" width="X">'
    "<figcaption>X</figcaption></figure></div>",
    '<table data-view="X"><thead><tr><th width="X" data-type="X">X</th></tr></thead><tbody><tr><td>X</td></tr></tbody></table>',
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th>'
    '<th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td>X</td>'
    '<td><a href="X">X</a></td><td><a href="X">X</a></td></tr></tbody></table>',
    '<button type="X" class="X" data-action="X" data-query="X" data-icon="X" onclick="X">X</button>',
    '<pre class="language-X" data-title="X"><code class="lang-X">X</code></pre>',
    '<span data-gb-custom-inline data-tag="X" data-code="X">X</span>',
    '<a href="#x" id="X" data-footnote-ref="X">X</a>',
    "<kbd>X</kbd><sub>X</sub><sup>X</sup><!-- X -->",
)
RAW = (
    '" autofocus onfocus="alert(2)" x="',
    "x` onerror=`alert(3)",
    "<img src=x:x onerror&#61;alert(4)>",
    "<svg><a xlink:href='javascript:alert(5)'><text>x</text></a></svg>",
    "<iframe src='javascript:parent.alert(6)'></iframe>",
    "<noscript><p title='</noscript><img src=x onerror=alert(7)>'></noscript>",
    "<template><script>alert(8)</script></template>",
    "<details open ontoggle=alert(9)>",
    "<video><source onerror=alert(10)></video>",
    "{{ constructor.constructor('alert(11)')() }}",
    "${alert(12)}",
    "%} <script>alert(13)</script> {% endhint",
    "<style>@import 'javascript:alert(14)';</style>",
    "</script><script>alert(15)</script>",
    "\\url{javascript:alert(16)} \\unicode{<img src=x onerror=alert(17)>}",
)
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40"'
    ' onload="alert(\'drawing\')"><script>alert("drawing script")</script><a xlink:href="javascript:alert(1)">'
    '<rect width="40" height="40"/></a><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml">'
    '<img src="x" onerror="alert(\'foreign\')"/></body></foreignObject></svg>'
)
DOCUMENT = "<!doctype html><script>alert('file')</script>"
SPACE = """site: "<script>alert('variable')</script>"
link: "javascript:alert('variable link')"
"""
TAGS = """- tag: bad
  label: "<img src=x onerror=alert('label')>"
  icon: "x\\" onload=\\"alert('tag icon')"
  color: "red;background:url(javascript:alert(1))"
"""
SETTINGS = """redirects:
  away: "javascript:alert('redirect')"
  over: "//evil.example/"
"""


def make(folder: Path) -> Path:
    """The repository of all hostile pages, in a folder that does not exist yet."""
    shutil.copytree(SOURCE, folder)
    texts = (*HTML, *RAW)
    pages = {
        "links": _page(LINKS, [one for one in URLS if "\x00" not in one]),
        "words": _page(WORDS, texts),
        "attributes": _page(ATTRIBUTES, texts),
        "blocks": _page(BLOCKS, texts),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "files.md").write_text(
        "---\ntags:\n  - tag: bad\n---\n\n# Files\n\n"
        '![drawing](.gitbook/assets/drawing.svg)\n\n<img src=".gitbook/assets/drawing.svg" class="gitbook-drawing">\n\n'
        '{% file src=".gitbook/assets/drawing.svg" %}\n\n{% file src=".gitbook/assets/document.html" %}\n\n'
        '<code class="expression">space.vars.site</code> <a href="<code class=&quot;expression&quot;>x">x</a>\n'
    )
    assets = folder / ".gitbook" / "assets"
    assets.mkdir(parents=True)
    (assets / "drawing.svg").write_text(DRAWING)
    (assets / "document.html").write_text(DOCUMENT)
    (folder / ".gitbook" / "vars.yaml").write_text(SPACE)
    (folder / ".gitbook" / "tags.yaml").write_text(TAGS)
    (folder / ".gitbook.yaml").write_text(SETTINGS)
    with (folder / "SUMMARY.md").open("a") as summary:
        summary.writelines(f"* [{name}]({name}.md)\n" for name in ("files", *pages))
    return folder


def _page(places: tuple[str, ...], texts: list[str] | tuple[str, ...]) -> str:
    """Every text in every place; each stands between lines of their own, so that none swallows the next."""
    body = "\n\n".join(place.replace("X", text) for text in texts for place in places)
    return f"# Page\n\n{body}\n\nThe end of the page.\n"
