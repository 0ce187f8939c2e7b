"""What a page says, by those who retell it: search, its Markdown, the texts of all pages, the feed. They agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client import World
from tests.publish.visiting import Visitor, visit, write

NEVER = "visitor.claims.unsigned.plan == 'gold'"
SELECT = '<th data-type="select">Linden<select><option value="o1" label="Maple" color="blue"></option></select></th>'
BODY = f"""## Alder

Words of **birch** and `cedar`.

{{% if {NEVER} %}}
Kept: quince.
{{% endif %}}

{{% if {NEVER.replace("==", "!=")} %}}
Shown: dogwood.

{{% if {NEVER} %}}
Medlar.
{{% endif %}}
{{% endif %}}

{{% include ".gitbook/includes/shared.md" %}}

Version <code class="expression">space.vars.version</code>.

{{% hint style="info" %}}
* elder
* fir
{{% endhint %}}

{{% tabs %}}
{{% tab title="Gorse" %}}
hazel
{{% endtab %}}
{{% endtabs %}}

<details>

<summary>Ilex</summary>

juniper

</details>

```python
katsura = 1
```

<table><thead><tr><th>Larch</th><th data-hidden>Rowan</th>{SELECT}<th data-type="number">Size</th></tr></thead>
<tbody><tr><td>Nutmeg</td><td>Sorbus</td><td><span data-option="o1">Maple</span></td><td>41.5</td></tr></tbody></table>

<figure><img src=".gitbook/assets/a.png" alt="Osier"><figcaption><p>Poplar</p></figcaption></figure>

<a href="https://example.org/" class="button primary">Sumac</a>
"""
SAID = (
    "alder", "birch", "cedar", "dogwood", "elder", "fir", "gorse", "hazel", "ilex", "juniper", "katsura", "larch",
    "linden", "maple", "nutmeg", "41.5", "osier", "poplar", "sumac", "tamarack", "7.4.1",
)  # fmt: skip
TO_SOME = {"dogwood"}
"""What is said to who says nothing of themselves, and may not be to others: it is read, and not searched."""
UNSAID = ("quince", "medlar", "rowan", "sorbus", "walnut")


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "* [Home](README.md)\n* [News](news.md)\n",
        "README.md": "# Home\n",
        "news.md": f'# News\n\n{{% updates %}}\n{{% update date="2026-03-05" %}}\n{BODY}\n'
        "{% endupdate %}\n{% endupdates %}\n",
        ".gitbook/includes/shared.md": "---\ntitle: Shared\n---\n\nThe tamarack.\n\n"
        f"{{% if {NEVER} %}}\nA walnut.\n{{% endif %}}\n",
        ".gitbook/vars.yaml": "version: 7.4.1\n",
        ".gitbook/assets/a.png": b"\x89PNG\r\n\x1a\n",
    }
    return visit(world, write(tmp_path, files))


def _retold(site: Visitor) -> dict[str, set[str]]:
    """By each who retells the page: which of the words are in it."""
    texts = {path: site.get(path).text.lower() for path in ("news.md", "llms-full.txt", "news/rss.xml")}
    asked = (*SAID, *UNSAID)
    told = {path: {word for word in asked if word in text} for path, text in texts.items()}
    return told | {"search": {word for word in asked if any(hit["title"] == "News" for hit in site.search(word))}}


def test_all_who_retell_a_page_say_the_same(site: Visitor) -> None:
    for who, said in _retold(site).items():
        assert said == set(SAID) - (TO_SOME if who == "search" else set()), who
