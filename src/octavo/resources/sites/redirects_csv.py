"""Redirects of a site out of a file and into one: an import happens whole or not at all."""

from __future__ import annotations

from msgspec import UNSET

from octavo.history.contents import contents_of
from octavo.kernel.errors import BadRequest, Failure
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records.sites import Site
from octavo.resources.call import Call
from octavo.resources.places import AtSite
from octavo.resources.redirecting import RedirectTable, leads_of, table_of, upserted
from octavo.site.leading import Leads, normal_source
from octavo.site.placed import placed
from octavo.site.snapshot import Snapshot, snapshot_of
from octavo.wire.sites import redirects, redirects_csv
from octavo.wire.sites.redirects import BulkRedirect, Outcome, Sent, ToAddress, ToPage, ToSection, ToSiteSpace
from octavo.wire.sites.redirects_csv import ImportRedirects, Line, Wrong

TOLD = 20
"""Lines that a refusal names."""
_AGAIN = 3
"""How often lines are tried that others of the file may stand in the way of."""


async def import_lines(call: Call, at: AtSite, body: ImportRedirects) -> list[Outcome]:
    """What became of each line, in their order. Raises BadRequest with what is wrong and where; nothing is kept then."""
    site = at.site.record
    try:
        lines, wrong = redirects_csv.read(body.csv)
    except Wrong as fault:
        raise _refused([fault]) from fault
    wrong += _twice(lines)
    table = await table_of(call, site)
    snapshot = await snapshot_of(call.unit, site)
    entries = []
    for line in lines:
        try:
            entries.append((line, await _entry(call, snapshot, line)))
        except BadRequest as failure:
            wrong.append(Wrong(line.number, failure.message))
    if wrong:
        raise _refused(wrong)
    made = await _written(call, site, table, entries)
    await table.told()
    return [made[line.number] for line in lines]


def _refused(wrong: list[Wrong]) -> BadRequest:
    """The sentence of everything that is wrong; raised in the unit, which keeps nothing then."""
    told = [str(one) for one in sorted(wrong, key=lambda one: one.number)]
    more = f"; and {len(told) - TOLD} lines more" if len(told) > TOLD else ""
    return BadRequest(f"csv: nothing was imported: {'; '.join(told[:TOLD])}{more}")


def _twice(lines: list[Line]) -> list[Wrong]:
    """Lines that speak of the same redirect as one before."""
    known: dict[tuple[str, bool], int] = {}
    wrong = []
    for line in lines:
        key = normal_source(line.source), line.intent != "live"
        if key in known:
            wrong.append(Wrong(line.number, f"source: line {known[key]} has the same source"))
        known.setdefault(key, line.number)
    return wrong


async def _written(
    call: Call, site: Site, table: RedirectTable, entries: list[tuple[Line, BulkRedirect]]
) -> dict[int, Outcome]:
    """Every line written; those that are refused once more after all others, as what stands in their way may be one that
    the file changes. Raises BadRequest where some stay refused."""
    made: dict[int, Outcome] = {}
    waiting, wrong = entries, list[Wrong]()
    for _ in range(_AGAIN):
        refused, wrong = [], []
        for line, entry in waiting:
            try:
                made[line.number] = await upserted(call, site, table, entry)
            except Failure as failure:
                refused.append((line, entry))
                wrong.append(Wrong(line.number, failure.message))
        if not refused or len(refused) == len(waiting):
            break
        waiting = refused
    if wrong:
        raise _refused(wrong)
    return made


async def _entry(call: Call, snapshot: Snapshot, line: Line) -> BulkRedirect:
    """A line as one of many at once. Raises BadRequest for a destination that is neither an address nor on the site."""
    destination = None if not line.destination else await _destination(call, snapshot, line.destination)
    return BulkRedirect(
        source=line.source,
        intent=line.intent,
        destination=UNSET if line.intent == "publish" else destination,
        capture_wildcard=line.capture_wildcard,
        permanent=UNSET if line.permanent is None else line.permanent,
    )


async def _destination(call: Call, snapshot: Snapshot, word: str) -> Sent:
    if word.lower().startswith(("http://", "https://")) and not any(one.isspace() for one in word):
        return ToAddress(word)
    if not word.startswith("/"):
        raise BadRequest("destination: has to begin with https://, http:// or, for a place of the site, with /")
    path = word.strip("/")
    section = next((one for one in snapshot.sections if path and snapshot.section_base(one).strip("/") == path), None)
    if section is not None:
        return ToSection(section.id)
    place = await placed(call.unit, snapshot, path)
    if place is None:
        raise BadRequest("destination: the site shows nothing")
    if not place.rest:
        return ToSiteSpace(place.site_space.id)
    contents = await contents_of(call.unit, snapshot.revisions[place.space.id])
    branch = contents.by_path.get(place.rest.lower())
    if branch is None:
        raise BadRequest(f"destination: the site has no page at {word[:200]!r}")
    return ToPage(place.site_space.id, branch.page.id)


async def export(call: Call, at: AtSite, query: Nothing) -> list[Line]:
    """All of them, drafts too, by source; destinations of the site are paths below its own."""
    site = at.site.record
    leads = await leads_of(call, site, "/")
    return [
        Line(
            number=0,
            source=one.source,
            destination=await _word(leads, one.destination),
            intent="draft" if one.draft else "live",
            permanent=one.permanent,
            capture_wildcard=one.capture_wildcard,
        )
        for one in await call.unit.redirects.all(site.id)
    ]


async def _word(leads: Leads, destination: dict[str, object]) -> str:
    """Empty where it leads nowhere any more."""
    return await leads.address(destination) or ""


_CSV = "/orgs/{organization}/sites/{site}/redirects/csv"

OPERATIONS = (
    reads("exportSiteRedirects", _CSV, export, redirects_csv.write, media=("text/csv",),
          needs="site.view", scope="site:read", summary="Export the redirects of a site as CSV"),
    writes("POST", "importSiteRedirects", _CSV, import_lines, redirects.present_outcomes,
           lock="site", needs="site.admin", scope="site:write", audit="site.redirects.import",
           summary="Import redirects from CSV, all of them or none"),
)  # fmt: skip
