"""Child processes of jobs: what takes long or meets strangers' files is done within limits and apart from the server.

    async with room.folder(work.tools.room) as folder:
        made = await room.run(work, Child(...), folder, request, word=answer)  # what the child's `work(line)` returns

A child never opens the database. Both sides speak frames (`frames.py`) over its standard input and output:

    job      its terms, then the request, then one answer to each question
    child    progress {…}, ask word value; at last done result | refused sentence | broke sentence | crashed

Whoever says nothing of the last kind was killed, by its limits or by somebody.
"""
