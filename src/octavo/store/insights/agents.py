"""What a browser says it is, as device, browser, system and bot."""

from __future__ import annotations

import functools

from octavo.kernel.records.insights import BOTS

_BOT_WORDS = (
    ("googlebot", "googlebot"), ("bingbot", "bingbot"), ("duckduckbot", "duckduckbot"), ("duckassist", "duckassist"),
    ("facebookexternalhit", "facebookbot"), ("facebot", "facebookbot"), ("facebookbot", "facebookbot"),
    ("applebot", "applebot"), ("chatgpt-user", "chatgpt"), ("gptbot", "gptbot"), ("oai-searchbot", "openai"),
    ("openai", "openai"), ("claudebot", "claudebot"), ("claude-code", "claude-code"), ("claude-cli", "claude-code"),
    ("claude-user", "claude"), ("claude-searchbot", "claude"), ("claude-web", "claude"), ("anthropic", "anthropic"),
    ("google-gemini", "gemini"), ("gemini", "gemini"), ("perplexity", "perplexity"), ("cohere", "cohere"),
    ("mistral", "mistral"), ("deepseek", "deepseek"), ("meta-externalfetcher", "meta-fetcher"),
    ("meta-webindexer", "meta-webindexer"), ("meta-externalads", "meta-ads"), ("meta-externalagent", "meta"),
    ("bytespider", "bytespider"), ("ccbot", "ccbot"), ("amzn-searchbot", "amzn-searchbot"), ("amzn-user", "amzn-user"),
    ("amazonbot", "amazonbot"), ("youbot", "youbot"), ("cursor", "cursor"), ("github-copilot", "github-copilot"),
    ("githubcopilot", "github-copilot"), ("codex", "codex"), ("opencode", "opencode"), ("grok", "grok"), ("vscode", "vscode"),
)  # fmt: skip
"""A word in the text, in lower case -> the bot; the first that is found counts."""
assert {bot for _, bot in _BOT_WORDS} | {"unknown"} == set(BOTS)
_PLAIN_BOTS = ("bot", "crawl", "spider", "slurp", "headless", "curl/", "wget/", "python-", "httpx", "go-http", "java/")
"""Words of programs that nobody reads with."""
_BROWSERS = (
    ("edge", "edge"), ("opera", "opera"), ("chrome", "chrome"), ("chromium", "chrome"), ("firefox", "firefox"),
    ("ie", "ie"), ("safari", "safari"),
)  # fmt: skip
_SYSTEMS = {
    "Windows": "windows", "Mac OS X": "macos", "Mac OS": "macos", "macOS": "macos", "iOS": "ios", "iPadOS": "ios",
    "Android": "android", "Chrome OS": "linux",
}  # fmt: skip
_LINUX = ("Linux", "Ubuntu", "Debian", "Fedora", "Red Hat", "SUSE", "Arch Linux", "Gentoo", "Mint", "CentOS")
LONGEST = 512
"""Characters of an agent that are looked at: patterns take longer the longer it is."""


@functools.lru_cache(maxsize=20_000)
def read_agent(agent: str) -> tuple[str, str, str, str | None]:
    """(device, browser, system, bot); the last is None for whoever seems to be a person.

    >>> read_agent("Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0")
    ('desktop', 'firefox', 'linux', None)
    """
    if not agent:
        return "unknown", "unknown", "unknown", None
    import ua_parser  # its patterns take megabytes, and only the process that loads events needs them

    agent = agent[:LONGEST]
    found = ua_parser.parse(agent)
    family = "" if found.user_agent is None else found.user_agent.family
    system = "" if found.os is None else found.os.family
    device = "" if found.device is None else found.device.family
    named = _system(system)
    bot = _bot(agent.lower(), device)
    return _device(agent, device, named, bot), _browser(family), named, bot


def _bot(agent: str, device: str) -> str | None:
    named = next((bot for word, bot in _BOT_WORDS if word in agent), None)
    if named is not None:
        return named
    return "unknown" if device == "Spider" or any(word in agent for word in _PLAIN_BOTS) else None


def _browser(family: str) -> str:
    lower = family.lower()
    words = lower.replace("mobile", " ").replace("headless", " ").split()
    return next((browser for word, browser in _BROWSERS if word in words), "unknown")


def _system(family: str) -> str:
    return _SYSTEMS.get(family) or ("linux" if family.startswith(_LINUX) else "unknown")


def _device(agent: str, device: str, system: str, bot: str | None) -> str:
    """Tablets with Android leave out the word Mobile."""
    if device == "iPad" or "Tablet" in agent or (system == "android" and "Mobile" not in agent):
        return "tablet"
    if system in ("android", "ios"):
        return "mobile"
    return "desktop" if bot is None and system in ("windows", "macos", "linux") else "unknown"
