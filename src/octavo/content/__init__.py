"""The pure content library: documents, Markdown, HTML, revisions; no SQL, no web, no other room of Octavo."""
