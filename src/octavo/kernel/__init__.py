"""Words that everyone uses: records, errors, limits, events, settings, clock, ids."""
