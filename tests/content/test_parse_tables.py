"""Tables and cards."""

from __future__ import annotations

from octavo.content.document import Node, plain
from octavo.content.markdown import parse


def table(source: str) -> Node:
    nodes = parse(source).document["nodes"]
    assert [node["type"] for node in nodes] == ["table"]
    return nodes[0]


def shown(node: Node) -> list[dict[str, object]]:
    """The records in order, text cells as their text."""
    cells = {one["fragment"]: plain(one) for one in node["fragments"]}
    assert {one["type"] for one in node["fragments"]} <= {"table-cell"}
    records = sorted(node["data"]["records"].values(), key=lambda record: record["orderIndex"])
    text = {name for name, column in node["data"]["definition"].items() if column["type"] == "text"}
    return [
        {name: cells[value] if name in text else value for name, value in record["values"].items()}
        for record in records
    ]


def test_pipe_and_html_tables_give_the_same_shape() -> None:
    pipes = table("| A | *B* |\n| --- | --: |\n| a **b** | `c \\| d` |\n|  | e |")
    html = table(
        "<table><thead><tr><th>A</th><th align='right'><em>B</em></th></tr></thead><tbody>"
        "<tr><td>a <strong>b</strong></td><td><code>c | d</code></td></tr><tr><td></td><td>e</td></tr></tbody></table>"
    )
    assert pipes == {**html, "key": pipes["key"]}
    assert pipes["data"] == {
        "view": {"type": "grid", "columns": ["c1", "c2"], "hideHeader": False},
        "records": {
            "r1": {"orderIndex": "000000", "values": {"c1": "r1-c1", "c2": "r1-c2"}},
            "r2": {"orderIndex": "000001", "values": {"c2": "r2-c2"}},
        },
        "definition": {
            "c1": {"id": "c1", "title": "A", "type": "text", "textAlignment": "left"},
            "c2": {"id": "c2", "title": "B", "type": "text", "textAlignment": "right"},
        },
    }
    assert shown(pipes) == [{"c1": "a b", "c2": "c | d"}, {"c2": "e"}]


def test_cells_of_every_type() -> None:
    node = table(
        '<table data-full-width="true" data-search="true"><thead><tr><th width="120.5">T</th><th data-type="checkbox">C</th>'
        '<th data-type="number">N</th><th data-type="rating" data-max="3">R</th><th data-type="select">S<select>'
        '<option value="o1" label="One" color="blue"></option></select></th><th data-type="select" data-multiple>M</th>'
        '<th data-type="files">F</th><th data-type="users">U</th><th data-type="content-ref">P</th>'
        '<th data-type="image">I</th><th data-hidden>H</th></tr></thead><tbody><tr><td><p>x</p><ul><li>y</li></ul></td>'
        "<td>true</td><td>1.5</td><td>2</td><td><span data-option='o1'>One</span></td><td>New, Newer</td>"
        "<td><a href='f'>f</a> <a href='g'>g</a></td><td>Ada, Bob</td><td><a href='p.md'>p</a></td><td><img src='i'></td>"
        "<td>h</td></tr></tbody></table>"
    )
    url = {name: {"kind": "url", "url": name} for name in ("f", "g", "p.md", "i")}
    assert shown(node) == [
        {"c1": "xy", "c2": True, "c3": 1.5, "c4": 2, "c5": ["o1"], "c6": ["New", "Newer"], "c7": [url["f"], url["g"]],
         "c8": ["Ada", "Bob"], "c9": url["p.md"], "c10": url["i"], "c11": "h"},
    ]  # fmt: skip
    data = node["data"]
    assert data["view"]["columns"] == [f"c{number}" for number in range(1, 11)]
    assert data["view"]["columnWidths"] == {"c1": 120.5}
    assert (data["fullWidth"], data["search"]) == (True, True)
    assert data["definition"]["c4"]["max"] == 3
    assert data["definition"]["c5"] == {
        "id": "c5", "title": "S", "type": "select", "multiple": False,
        "options": [{"value": "o1", "label": "One", "color": "blue"}],
    }  # fmt: skip
    assert data["definition"]["c6"]["multiple"] is True
    assert [option["value"] for option in data["definition"]["c6"]["options"]] == ["New", "Newer"]
    assert [block["type"] for block in node["fragments"][0]["nodes"]] == ["paragraph", "list-unordered"]


def test_a_column_with_options_is_one_to_select_from() -> None:
    node = table(
        '<table><thead><tr><th>A<select multiple><option value="o1" label="CREATE" color="blue"></option></select></th>'
        "</tr></thead><tbody><tr><td><span data-option='o1'>CREATE</span></td></tr></tbody></table>"
    )
    assert shown(node) == [{"c1": ["o1"]}]
    assert (node["data"]["definition"]["c1"]["type"], node["data"]["definition"]["c1"]["multiple"]) == ("select", True)


def test_cards() -> None:
    node = table(
        '<table data-view="cards" data-card-size="large" data-column-title-hidden data-card-wrap><thead><tr><th></th>'
        '<th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image">'
        '</th><th data-hidden data-card-cover-dark data-type="image"></th></tr></thead><tbody><tr><td>a</td>'
        "<td><a href='p'>p</a></td><td><a href='i'>i</a></td><td></td></tr></tbody></table>"
    )
    assert node["data"]["view"] == {
        "type": "cards", "cardSize": "large", "columns": ["c1"], "targetDefinition": "c2", "coverDefinition": "c3",
        "coverDefinitionDark": "c4", "hideColumnTitle": True, "wrap": True,
    }  # fmt: skip
    assert table('<table data-view="cards"><tr><td>x</td></tr></table>')["data"]["view"]["cardSize"] == "medium"


def test_merged_cells_push_others_aside() -> None:
    node = table(
        "<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan='2'>1</td><td colspan='2'>2</td></tr>"
        "<tr><td>3</td><td>4</td></tr></table>"
    )
    assert shown(node) == [{"c1": "1", "c2": "2"}, {"c2": "3", "c3": "4"}]
    assert node["data"]["cellMerges"] == [
        {"anchor": {"record": "r1", "column": "c1"}, "rowSpan": 2, "colSpan": 1},
        {"anchor": {"record": "r1", "column": "c2"}, "rowSpan": 1, "colSpan": 2},
    ]


def test_headers_may_be_hidden_or_missing() -> None:
    assert table("<table><tr><td>a</td></tr></table>")["data"]["view"]["hideHeader"] is True
    assert table("|  |\n| - |\n| a |")["data"]["view"]["hideHeader"] is True
    hidden = table("<table data-header-hidden><tr><th>t</th></tr><tr><td>a</td></tr></table>")
    assert hidden["data"]["view"]["hideHeader"] is True
    assert hidden["data"]["definition"]["c1"]["title"] == "t"


def test_broken_tables_lose_nothing() -> None:
    source = "<table>w1<caption>w2</caption><tr>w3<td>w4<td>w5</tr><tr><td>w6</td></tr>\n\n<tr><td>w7</table>w8"
    page = parse(source)
    assert all(f"w{number}" in plain(page.document) for number in range(1, 9))
    assert page.document["nodes"][-2]["type"] == "table"


def test_wrong_values_are_warnings() -> None:
    page = parse(
        'x\n\n<table><tr><th data-type="colour">a</th><th data-type="checkbox">b</th></tr><tr><td>c</td><td>?</td></tr></table>'
    )
    assert page.warnings == ["There is no column type 'colour' (line 3)", "'?' says neither yes nor no (line 3)"]
