"""A documentation directory with one of every block, inline and setting of the content format."""

from __future__ import annotations

from tests.resources.handbook import PICTURE, TABLE

_BLOCKS = """---
description: All of them.
emoji: ":rocket:"
tags:
  - tag: new
    primary: true
  - stable
cover: .gitbook/assets/pixel.png
coverY: 3
vars:
  speed: 3
layout:
  width: wide
  cover:
    visible: true
    size: full
---

# Blocks

**Bold**, *italic*, ~~struck~~, `code`, <kbd>K</kbd>, x<sup>2</sup>, H<sub>2</sub>O,
<mark style="color:red;">red</mark>, :rocket:, a [link](more.md), $$a+b$$ and <i class="fa-bird">:bird:</i>.
A formula $$x^2$$, a note[^1], a picture <img src=".gitbook/assets/pixel.png" alt="dot" data-size="line"> and
<code class="expression">space.vars.product</code>.

<a href="more.md" class="button primary" data-icon="bird">Go</a>
<button type="button" class="button secondary" data-action="search" data-query="hint">Search</button>
<button type="button" class="button secondary" data-action="ask" data-query="Why?">Ask</button>

[^1]: Said below.

## Two <a href="#two" id="two"></a>

### Three

#### Four

* One
  * Inside
* Two

1. First
2. Second

* [ ] To do
* [x] Done

> Quoted

***

{% hint style="warning" icon="bird" %}
Mind the nest.
{% endhint %}

{% code title="a.py" overflow="wrap" lineNumbers="true" %}
```python
print(1)
```
{% endcode %}

<pre class="language-sh"><code><strong>ls
</strong>pwd
</code></pre>

{% tabs %}
{% tab title="One" icon="bird" %}
First
{% endtab %}

{% tab title="Two" %}
Second
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Step

Do it.
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" %}
Left
{% endcolumn %}

{% column %}
Right
{% endcolumn %}
{% endcolumns %}

<details open>

<summary>More</summary>

Inside.

</details>

<details>

<summary>Nothing</summary>

</details>

<figure><img src=".gitbook/assets/pixel.png" alt="A pixel" width="3"><figcaption><p>One pixel</p></figcaption></figure>

<figure><img src=".gitbook/assets/pixel.png" alt=""><figcaption></figcaption></figure>

<div align="left"><figure><img src="https://example.com/a.png" alt=""><figcaption></figcaption></figure></div>

| Name  | Count |
| ----- | ----: |
| heron |     3 |

<table data-view="cards"><thead><tr><th>Name</th><th data-hidden data-card-target data-type="content-ref">To</th><th \
data-type="number">Count</th><th data-type="checkbox">Ready</th><th data-type="select" data-multiple>Kind</th><th \
data-hidden data-card-cover data-type="image">Cover</th></tr></thead><tbody><tr><td><strong>Heron</strong></td><td>\
<a href="more.md">more.md</a></td><td>3</td><td>true</td><td></td><td><a href=".gitbook/assets/pixel.png">pixel.png\
</a></td></tr></tbody></table>

{% embed url="https://www.youtube.com/watch?v=abc" %}
A film
{% endembed %}

{% embed url="https://example.com/" %}

{% file src=".gitbook/assets/counts.csv" %}
Counted
{% endfile %}

{% content-ref url="more.md" %}
[more.md](more.md)
{% endcontent-ref %}

{% include ".gitbook/includes/notice.md" %}

{% updates format="full" %}
{% update date="2026-03-01" tags="new,stable" %}
## News

Something new.
{% endupdate %}
{% endupdates %}

{% if visitor.claims.beta %}
Only for some.
{% endif %}

{% prompt description="Ask it" icon="bird" %}
```
Do this
```
{% endprompt %}

$$
a = b
$$

```mermaid
graph TD; A-->B
```

{% openapi-operation spec="birds" path="/birds" method="get" %}
[Spec](https://example.com/birds.json)
{% endopenapi-operation %}
"""

WRITTEN: dict[str, bytes] = {
    "README.md": b"---\nicon: bird\n---\n\n# Welcome\n\nA heron.\n",
    "SUMMARY.md": b"""# Table of contents

* [Welcome](README.md)

## Guides

* [Blocks](blocks.md)
  * [More](more.md "Go on")
* [Outside](https://example.com/outside)
""",
    "blocks.md": _BLOCKS.encode(),
    "more.md": b"---\nemoji: \xf0\x9f\x93\x97\nhidden: true\n---\n\n# More\n\nThat is a heron too.\n",
    ".gitbook/tags.yaml": b"""- tag: new
  label: New
  icon: bird
  color: green
- tag: stable
  label: Stable
- tag: loud
  emoji: "\xf0\x9f\x93\xa3"
  color: mauve
""",
    ".gitbook/vars.yaml": b"product: Ardea\n",
    ".gitbook/includes/notice.md": b"---\ntitle: A notice\n---\n\nMind the **nest**.\n",
    ".gitbook/assets/pixel.png": PICTURE,
    ".gitbook/assets/counts.csv": TABLE,
}
