"""Document JSON to clean, semantic HTML that reads well without a style sheet and works without a script.

    render(document, context) -> Rendered(html, outline, needs, updates)

The module is pure: whatever depends on a site, a revision or a visitor comes from a `Context`. Everything an author
wrote is escaped, addresses are limited to safe schemes, there are no inline styles and no event attributes, and the two
characters `{%` never stand in the result.

On a page with letters that run from right to left, blocks of text carry `dir`, by the first letter in them.

# Vocabulary of the HTML

The class names below are stable; style sheets and scripts are written against this table. `[…]` is optional,
`…blocks…` any blocks, `…text…` any inlines, ICON the SVG from `context.icon`. Every block that may be `fullWidth` then
has the class `full-width`. Percentages are never styles but `data-width="5"` … `"100"` in steps of five.

  paragraph      <p [class="align-center|align-end"]>…text…</p>                       hard break: <br>
  heading-1/2/3  <h2|h3|h4 id="install" class="heading [align-…]" [aria-level]>[<span
                   id="alias"></span>]…text…<a class="anchor" href="#install" aria-label="Link to this section"></a></h2>
                 aria-level says how deep it stands where levels above it are left out; one that has only icons
                 ends in a <span class="visually-hidden"> with their names, an empty one has role="presentation"
  lists          <ul> <ol [start=3]> <ul class="tasks">; items <li>…text… [nested list]</li>, or <li>…blocks…</li> when
                 an item holds more than one paragraph and lists
  task           <li class="task"><input type="checkbox" disabled [checked] aria-label="Done"><div class="task-body">…
  divider        <hr>
  blockquote     <blockquote>…blocks…</blockquote>
  marked         <ins|del|div class="marked marked-added|marked-removed|marked-changed" [role="group"] aria-label>
                   …blocks…</ins|del|div>; never written by authors: what differs from another version
  hint           <div class="hint hint-info|hint-success|hint-warning|hint-danger" role="note" aria-label="Note|…">
                   <span class="hint-icon" aria-hidden="true">ICON</span><div class="hint-body">…blocks…</div></div>
  code           <figure class="code-block [full-width]" data-language="python" [data-lines="10"]>
                   [<figcaption class="code-title">app.py</figcaption>]
                   <pre class="code [wrap] [line-numbers]" tabindex="0"><code class="language-python"><span class="line
                   [highlighted]">…\\n</span>…</code></pre></figure>
                 each line's span ends with its newline (so `.line {display: block}` is right); data-lines: collapsible
                 by script to that many lines; token classes are those of Pygments (k, s, c1, nf, …);  needs "code"
  mermaid        <figure class="diagram"><pre class="mermaid">source</pre>[<figcaption>…]</figure>     needs "mermaid"
  math           <div class="math" tabindex="0"><math display="block">…</math></div>; inline <math>…</math>;
                 what cannot be set: <code class="math-error" title="why">source</code>            needs "math"
  images         <div class="images [align-left|align-center|align-right] [full-width] [with-frame]">FIGURE…</div>
  image          <figure class="figure">IMG[<figcaption>…text…</figcaption>]</figure>
  IMG            <img src alt [width height] [data-width="50"] loading="lazy" decoding="async" data-zoom>; the first of
                 the page has fetchpriority="high" in place of loading; with a dark twin <picture class="picture">
                 <source class="dark-source" media="(prefers-color-scheme: dark)" srcset="…">IMG</picture>; a reference
                 that leads nowhere: <span class="image-missing" role="img" aria-label="alt">alt</span>; data-zoom needs "zoom"
  drawing        <figure class="figure drawing">IMG</figure>
  file           <figure class="file"><a class="file-link" href download><span class="file-icon"
                   aria-hidden="true">ICON</span><span class="file-name">a.pdf</span>
                   <span class="file-meta">1.2 MB</span><span class="file-verb">Download</span></a>
                   [<a class="file-open" href>Open</a>, what browsers show] [<figcaption>…]</figure>
  embed          <figure class="embed [full-width]">[<div class="embed-frame" data-provider="youtube"><p
                   class="embed-wait" aria-hidden="true">what the frame will show</p><iframe …></iframe></div>]
                   <a class="embed-card" href rel="noopener"><span class="embed-icon" aria-hidden="true">ICON</span>
                   <span class="embed-title">…</span><span class="embed-host">youtube.com</span></a>
                   [<figcaption>…]</figure>
                                                                                needs "embed:https://www.youtube…"
  content-ref    <a class="content-ref" href><span class="content-ref-icon" aria-hidden="true">emoji or ICON</span>
                   <span class="content-ref-title">Title</span></a>; leading nowhere: <span class="content-ref broken">
  expandable     <details class="expandable" id="slug" [open]><summary class="expandable-title">…text…</summary>
                   <div class="expandable-body">…blocks…</div></details>
  tabs           <div class="tabs [full-width]"><section class="tab-panel" id="npm" data-title="npm">
                   <p class="tab-title">[ICON] npm</p>…blocks…</section>…</div>                             needs "tabs"
                 every panel is visible without a script; the script makes the titles a tablist, hides panels, remembers
  stepper        <ol class="stepper"><li class="step"><span class="step-marker" aria-hidden="true">1 or ICON</span>
                   <div class="step-body">…blocks…</div></li>…</ol>
  columns        <div class="columns"><div class="column [align-middle|align-bottom]" [data-width="35"]>…blocks…</div>…
  updates        <div class="updates"><article class="update" id="2026-01-31"><header class="update-header"><a
                   class="update-date" href="#2026-01-31"><time datetime="2026-01-31">31 January 2026</time></a>[<ul
                   class="tags"><li class="tag">Fix</li></ul>]</header><div class="update-body">…blocks…</div></article>
  prompt         <section class="prompt"><div class="prompt-header"><span class="prompt-icon"
                   aria-hidden="true">ICON</span><p class="prompt-description">…</p></div>
                   <details class="prompt-text" [open]><summary>Show prompt</summary>CODE</details></section>
  table          <div class="table-box [full-width]" tabindex="0" role="group" aria-label="Table"><table class="table
                   [sticky-header] [sticky-first-column]" [data-search]>[<colgroup><col [class="prose"] [width="120"]>…
                   </colgroup>] [<thead><tr><th scope="col" class="[align-center|align-right]"
                   [data-filter="select|checkbox"]>…</th></tr></thead>]
                   <tbody><tr><td [class="align-…"] [rowspan colspan]>CELL</td></tr></tbody></table></div>
  CELL           text: …text… or …blocks…; number: class "number"; checkbox: <input type="checkbox" disabled [checked]>;
                 rating: <span class="rating" role="img" aria-label="3 out of 5">★★★☆☆</span>; select: <span
                 class="badge" [data-color]>…</span>…; users: <span class="person">…; content-ref, and a mention
                 that is all of a cell: MENTION with class "reference"; image: IMG
                 (class "cell-image"); files: <a class="file-link">…
  cards          <div class="card-grid card-grid-medium|card-grid-large [full-width]"><article class="card [has-link]">
                   [<div class="card-cover">IMG</div>]<div class="card-body"><div class="card-cell [card-title]">
                   [<span class="card-label">Column</span>]CELL</div>…</div></article>…</div>
                 a card with a target has one <a class="card-link">: around its title, or empty of text but for a
                 <span class="visually-hidden"> at its end; `.card-link::after` is meant to cover the card
  if, reusable-content  their blocks alone, without a wrapper
  integration    <div class="integration"><p class="integration-name">name/block</p>[<dl class="properties">…]</div>
                 drawn by its script: <div class="integration" data-drawn data-integration="name">…blocks…</div>
  swagger, openapi-*  what context.openapi gives, else <div class="openapi"><p class="openapi-operation"><span
                   class="method" data-method="get">GET</span> <code class="openapi-path">/pets</code></p></div>
  notes          <aside class="notes" aria-label="Notes"><ol><li class="note" id="note-1">…blocks…<a class="note-back"
                   href="#note-ref-1" role="doc-backlink" aria-label="Back to the text">↩</a></li></ol></aside>: last

  marks          <strong> <em> <code> <kbd> <s> <sup> <sub>; colour <span class="colored" data-color="blue">, with a
                 background <mark class="colored" [data-color] data-background="yellow">; the values are default, green,
                 blue, red, orange, yellow, purple, pink, violet, cyan, primary, info, success, warning, danger, tint
  link           <a href [class="external" rel="noopener"] [target="_blank"]>…</a>; leading nowhere: <span
                 class="link broken">…</span>
  mention        <a class="mention" href>[emoji or ICON ]<span>Title</span></a>; <span class="mention broken">
  emoji          <span class="emoji">✅</span>
  icon           <span class="inline-icon" [data-color]>ICON</span>
  inline-image   IMG with class "inline-image [inline-image-line]", without zoom
  annotation     <span class="annotated">…text…</span><sup class="note-ref"><a id="note-ref-1" href="#note-1"
                   role="doc-noteref">1</a></sup>                                                   needs "notes"
  button         <a class="button button-primary|button-secondary" href [data-action="search|ask" data-query]>[ICON]
                   <span>Label</span></a>; an action without an address: <button type="button" class="button …" data-…>
                                                                              actions need "buttons"
  expression     its value as text
"""

from octavo.content.html.context import Context, Download, Heading, Picture, PlainContext, Rendered, Target, Update
from octavo.content.html.render import render

__all__ = ["Context", "Download", "Heading", "Picture", "PlainContext", "Rendered", "Target", "Update", "render"]
