"""Calls of an operation in the languages that people write: text that runs when their own values are put in.

No kept library of Python makes these.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

from octavo.content.openapi.describing import Described

LANGUAGES = (("cURL", "bash"), ("Python", "python"), ("JavaScript", "javascript"), ("Go", "go"), ("HTTP", "http"))
"""(title, syntax), in the order of the tabs."""


class Call:
    """One sample call: its address, headers and body."""

    def __init__(self, described: Described) -> None:
        self.method = described.method.upper()
        path = described.path
        query: list[tuple[str, str]] = []
        headers: dict[str, str] = {}
        cookies: list[str] = []
        for place, name, value in described.values:
            if place == "path":
                path = path.replace("{" + name + "}", quote(value, safe="") or name)
            elif place == "query":
                query.append((name, value))
            elif place == "header":
                headers[name] = value
            else:
                cookies.append(f"{name}={value}")
        for scheme in described.schemes:
            if scheme.place == "header":
                headers[scheme.key] = scheme.value
            elif scheme.place == "query":
                query.append((scheme.key, scheme.value))
            elif scheme.place == "cookie":
                cookies.append(f"{scheme.key}={scheme.value}")
        if cookies:
            headers["Cookie"] = "; ".join(cookies)
        self.url = (described.server or "https://example.org") + path + ("?" + urlencode(query) if query else "")
        if self.url.startswith("/"):
            self.url = "https://example.org" + self.url
        self.body: Any = None
        self.has_body = False
        self.media = ""
        media = next(iter(described.body), None)
        if media is not None and media.examples:
            self.has_body, self.body, self.media = True, media.examples[0][1], media.type
            headers["Content-Type"] = media.type
        self.headers = headers

    @property
    def is_json(self) -> bool:
        """Whether the body is JSON."""
        return "json" in self.media

    def text(self, indent: int | None = 2) -> str:
        """The body as it is sent."""
        if self.is_json or not isinstance(self.body, str):
            if "form-urlencoded" in self.media and isinstance(self.body, dict):
                return urlencode({name: str(value) for name, value in self.body.items()})
            return json.dumps(self.body, indent=indent, ensure_ascii=False)
        return self.body


def samples(described: Described) -> list[tuple[str, str, str]]:
    """(title, syntax, text) of every language."""
    call = Call(described)
    makers = (_curl, _python, _javascript, _go, _http)
    return [(title, syntax, make(call)) for (title, syntax), make in zip(LANGUAGES, makers, strict=True)]


def _shell(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _curl(call: Call) -> str:
    lines = [f"curl {_shell(call.url)}" if call.method == "GET" else f"curl -X {call.method} {_shell(call.url)}"]
    lines += [f"-H {_shell(f'{name}: {value}')}" for name, value in call.headers.items()]
    if call.has_body:
        lines.append(f"-d {_shell(call.text())}")
    return " \\\n  ".join(lines)


def _python(call: Call) -> str:
    lines = ["import requests", "", f"response = requests.{call.method.lower()}(", f"    {_literal(call.url)},"]
    if call.method in ("TRACE", "OPTIONS"):
        lines[2:4] = ["response = requests.request(", f"    {_literal(call.method)},", f"    {_literal(call.url)},"]
    headers = {name: value for name, value in call.headers.items() if not (call.is_json and name == "Content-Type")}
    if headers:
        lines.append(f"    headers={_indented(_python_literal(headers))},")
    if call.has_body:
        name = "json" if call.is_json else "data"
        value = _python_literal(call.body) if call.is_json else _literal(call.text())
        lines.append(f"    {name}={_indented(value)},")
    return "\n".join([*lines, ")", "response.raise_for_status()", "print(response.text)"])


def _javascript(call: Call) -> str:
    options: list[str] = []
    if call.method != "GET":
        options.append(f"  method: {_literal(call.method)},")
    if call.headers:
        options.append(f"  headers: {_indented(json.dumps(call.headers, indent=2, ensure_ascii=False), 2)},")
    if call.has_body:
        body = json.dumps(call.body, indent=2, ensure_ascii=False)
        value = f"JSON.stringify({_indented(body, 2)})" if call.is_json else _literal(call.text())
        options.append(f"  body: {value},")
    opened = ", {\n" + "\n".join(options) + "\n}" if options else ""
    return "\n".join(
        [
            f"const response = await fetch({_literal(call.url)}{opened});",
            "if (!response.ok) throw new Error(`${response.status}`);",
            "console.log(await response.text());",
        ]
    )


def _go(call: Call) -> str:
    body = f"strings.NewReader({_raw(call.text())})" if call.has_body else "nil"
    imports = ["fmt", "io", "net/http", *(["strings"] if call.has_body else [])]
    lines = ["package main", "", "import (", *(f'\t"{name}"' for name in imports), ")", "", "func main() {"]
    lines.append(f"\trequest, err := http.NewRequest({_literal(call.method)}, {_literal(call.url)}, {body})")
    lines += ["\tif err != nil {", "\t\tpanic(err)", "\t}"]
    lines += [f"\trequest.Header.Set({_literal(name)}, {_literal(value)})" for name, value in call.headers.items()]
    lines += ["\tresponse, err := http.DefaultClient.Do(request)", "\tif err != nil {", "\t\tpanic(err)", "\t}"]
    lines += ["\tdefer response.Body.Close()", "\tbody, _ := io.ReadAll(response.Body)"]
    return "\n".join([*lines, "\tfmt.Println(response.Status, string(body))", "}"])


def _http(call: Call) -> str:
    _, _, rest = call.url.partition("://")
    host, slash, path = rest.partition("/")
    lines = [f"{call.method} {slash}{path or ''} HTTP/1.1" if slash else f"{call.method} / HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in call.headers.items()]
    return "\n".join([*lines, *(["", call.text()] if call.has_body else [])])


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _raw(text: str) -> str:
    return f"`{text}`" if "`" not in text else _literal(text)


def _indented(text: str, by: int = 4) -> str:
    return text.replace("\n", "\n" + " " * by)


def _python_literal(value: Any, indent: int = 0) -> str:
    """A value as Python writes it, over several lines."""
    pad = "    " * (indent + 1)
    if isinstance(value, dict) and value:
        inner = "".join(
            f"{pad}{_literal(str(name))}: {_python_literal(one, indent + 1)},\n" for name, one in value.items()
        )
        return "{\n" + inner + "    " * indent + "}"
    if isinstance(value, list) and value:
        inner = "".join(f"{pad}{_python_literal(one, indent + 1)},\n" for one in value)
        return "[\n" + inner + "    " * indent + "]"
    if isinstance(value, str):
        return _literal(value)
    return repr(value)
