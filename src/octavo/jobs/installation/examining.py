"""An operator asked whether the installation is well: what `octavo doctor` looks at, from inside a worker."""

from __future__ import annotations

import time

from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.store.database.migrate import version


async def run(work: Work) -> Json:
    """Result: checks = [{check, state, said, todo}], in the order in which they should be mended."""
    # All that is asked of the outside is imported with the first look: http, certificates, mail, templates.
    from octavo.jobs.installation import checks

    settings, tools, engine = work.tools.settings, work.tools, work.store.engine
    found = checks.of_machine(settings)
    began = time.perf_counter()
    at = await version(engine)
    found.append(checks.of_schema(engine.dialect, at, (time.perf_counter() - began) * 1000))
    found.extend(await checks.beyond(settings, engine, lambda: tools.blobs))
    return {"checks": [one._asdict() for one in found]}
