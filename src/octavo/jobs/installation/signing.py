"""What a doctor finds of the certificates by which identity providers sign: which have run out, and which soon will."""

from __future__ import annotations

from octavo.access.people.certificates import valid_until
from octavo.jobs.installation.findings import Finding
from octavo.kernel.clock import DAY, moment
from octavo.store.unit import Store

SOON = 30 * DAY
_TODO = "ask whoever runs it for the next one, and add it to the provider before they sign by it"


async def findings(store: Store) -> list[Finding]:
    """One for each provider whose last certificate runs out; nothing where nobody signs in by SAML.

    People go on coming in by one that has run out: it says who signs, and whoever put it here trusts that. A provider is about
    to sign by another one then, which nobody here knows yet.
    """
    providers, now = await store.read(lambda unit: unit.saml.signing()), store.clock()
    check, found = "providers", list[Finding]()
    for one in providers:
        ends = valid_until(one.certificate)
        if ends is None or ends >= moment(now + SOON):
            continue
        whose = f"{one.label or one.entity_id} in the organization {one.organization}"
        said = f"the certificate of {whose} {'ran' if ends < moment(now) else 'runs'} out on {ends:%Y-%m-%d}"
        found.append(Finding(check, "warning", said, _TODO))
    if providers and not found:
        found.append(Finding(check, "ok", "the certificates of all identity providers are valid for a month or longer"))
    return found
