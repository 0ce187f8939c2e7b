"""The pages that sample spaces begin with: they show what pages are made of."""

WELCOME = """\
---
description: A page to look at, to change and to throw away.
icon: hand-wave
---

# Welcome

This page is yours. It shows a few of the blocks that pages are made of.

{% hint style="info" %}
Hints set something apart that readers should not miss.
{% endhint %}

## Steps to follow

{% stepper %}
{% step %}
### Write

Text in Markdown, with **bold**, *italic*, `code` and [links](https://commonmark.org).
{% endstep %}

{% step %}
### Publish

Readers see a page like this one, in light and dark.
{% endstep %}
{% endstepper %}

## Code and choices

{% tabs %}
{% tab title="Python" %}
```python
print("Hello, reader")
```
{% endtab %}

{% tab title="Shell" %}
```bash
echo "Hello, reader"
```
{% endtab %}
{% endtabs %}
"""

CHANGELOG = """\
---
description: What is new, the newest first.
icon: clock-rotate-left
---

# Changelog

{% updates format="full" %}
{% update date="2026-01-15" %}
## The first release

Write here what readers can do now that they could not before.
{% endupdate %}
{% endupdates %}
"""
