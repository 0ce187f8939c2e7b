"""Settings: file, environment and command line, one over the other; what cannot be is refused with a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.settings import Settings, SettingsError, load

MAIL = {"OCTAVO_SMTP_HOST": "mail.test", "OCTAVO_MAIL_FROM": "docs@example.test"}


def test_nothing_need_be_set() -> None:
    assert load({}) == Settings()


def test_the_environment_goes_before_the_file_and_what_is_given_before_both(tmp_path: Path) -> None:
    file = tmp_path / "octavo.toml"
    file.write_text('body_max = 1\ngit_timeout = 2\nsite_domain = "file.test"\n')
    environ = {"OCTAVO_CONFIG": str(file), "OCTAVO_GIT_TIMEOUT": "3", "OCTAVO_SITE_DOMAIN": "environment.test"}
    made = load(environ, site_domain="given.test", base_url=None)
    assert (made.body_max, made.git_timeout, made.site_domain) == (1, 3, "given.test")


@pytest.mark.parametrize(
    ("variable", "word", "expected"),
    [
        ("data", "/srv/octavo", Path("/srv/octavo")),
        ("allow_private_addresses", "yes", True),
        ("allow_private_addresses", "TRUE", True),
        ("allow_private_addresses", "", False),
        ("allow_private_addresses", "off", False),
        ("allowed_hosts", " a.test, b.test ,", ["a.test", "b.test"]),
        ("job_poll", "0.25", 0.25),
        ("rate_limit_token", "1", 1),
        ("base_url", "", None),
        ("smtp_port", "65535", 65535),
    ],
)
def test_words_become_what_the_setting_is(variable: str, word: str, expected: Any) -> None:
    assert getattr(load({f"OCTAVO_{variable.upper()}": word}), variable) == expected


@pytest.mark.parametrize(
    ("variable", "word"),
    [
        ("OCTAVO_DATABASE_URL", "mysql://x"),
        ("OCTAVO_DATABASE_URL", "postgresql://octavo@db.example.com"),
        ("OCTAVO_DATABASE_URL", "postgresql://octavo@db.example.com:5432/?sslmode=require"),
        ("OCTAVO_RATE_LIMIT_TOKEN", "many"),
        ("OCTAVO_RATE_LIMIT_TOKEN", "0"),
        ("OCTAVO_ALLOW_PRIVATE_ADDRESSES", "perhaps"),
        ("OCTAVO_BASE_URL", "docs.example.com"),
        ("OCTAVO_BASE_URL", "https://"),
        ("OCTAVO_BASE_URL", "https://docs.example.com:port"),
        ("OCTAVO_INSIGHTS_CLICKHOUSE", "http:///octavo"),
        ("OCTAVO_COLLECT_DAYS", "-1"),
        ("OCTAVO_NO_SUCH_SETTING", "1"),
        ("OCTAVO_JOB_POLL", "0"),
        ("OCTAVO_LOG_LEVEL", "loud"),
        ("OCTAVO_SECRET", "a"),
        ("OCTAVO_SECRET", "x" * 31),
        ("OCTAVO_DNS", "dns.example.com"),
        ("OCTAVO_DNS", "127.0.0.1:5353, 9.9.9.9:65536"),
        ("OCTAVO_DNS", "127.0.0.1:0"),
        ("OCTAVO_DNS", "[127.0.0.1]:53"),
        ("OCTAVO_DNS", "[::1"),
        ("OCTAVO_DNS", "[]"),
        ("OCTAVO_DNS", "1.2.3"),
        ("OCTAVO_TRUSTED_PROXIES", "nginx"),
        ("OCTAVO_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
        ("OCTAVO_SCRIPT_SECONDS", "0"),
        ("OCTAVO_SCRIPT_MEMORY", "1000000"),
        ("OCTAVO_SCRIPT_PROCESSES", "0"),
        ("OCTAVO_SMTP_TLS", "maybe"),
        ("OCTAVO_SMTP_PORT", "65536"),
        ("OCTAVO_SMTP_USER", "ada"),
        ("OCTAVO_MAIL_FROM", "nobody"),
        ("OCTAVO_CONFIG", "/no/such/file.toml"),
    ],
)
def test_what_cannot_be_is_refused_by_name(variable: str, word: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        load({variable: word})


def test_scripts_run_where_there_is_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load({"OCTAVO_DENO": "/usr/bin/deno"}).script_program == "/usr/bin/deno"
    monkeypatch.setattr("octavo.kernel.settings._packaged", lambda: "/packaged/deno")
    assert load({}).script_program == "/packaged/deno"
    monkeypatch.setattr("octavo.kernel.settings._packaged", lambda: None)
    assert load({}).script_program is None


def test_a_mail_server_needs_a_sender() -> None:
    assert load(MAIL).smtp_host == "mail.test"
    with pytest.raises(SettingsError, match="OCTAVO_MAIL_FROM"):
        load({"OCTAVO_SMTP_HOST": "mail.test"})
    for sender in ("docs@example.test", "Docs <docs@example.test>"):
        assert load(MAIL | {"OCTAVO_MAIL_FROM": sender}).mail_from == sender


def test_a_file_is_refused_as_the_environment_is(tmp_path: Path) -> None:
    file = tmp_path / "octavo.toml"
    for text in ("no_such_setting = 1\n", 'body_max = "large"\n', "body_max = 0\n", "not toml"):
        file.write_text(text)
        with pytest.raises(SettingsError):
            load({"OCTAVO_CONFIG": str(file)})


def test_variables_of_others_are_left_alone() -> None:
    assert load({"PATH": "/bin", "OCTAVO_TEST_PROFILE": "deep"}) == Settings()


def test_resolvers_are_addresses_with_or_without_a_port() -> None:
    told = load({"OCTAVO_DNS": "127.0.0.1:5353, 9.9.9.9,::1, [2620:fe::fe], [::1]:54"}).name_servers
    assert told == (("127.0.0.1", 5353), ("9.9.9.9", 53), ("::1", 53), ("2620:fe::fe", 53), ("::1", 54))
    assert load({}).name_servers == ()
