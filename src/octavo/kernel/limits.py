"""Every number of the Limits table, once; `wire.fields` turns them into types."""

LIST_LIMIT_MAX = 1000
LIST_LIMIT_DEFAULT = 50

COLLECTION_TITLE_MAX = 50
COLLECTION_DESCRIPTION_MAX = 100
SPACE_TITLE_MAX = 50
SPACE_EMOJI_MAX = 50
SITE_TITLE_MIN, SITE_TITLE_MAX = 2, 128
SITE_HOSTNAME_MAX = 512
SITE_BASENAME_MAX = 100
SITE_PROXY_MAX = 512
SECTION_DESCRIPTION_MAX = 256
CONDITION_MAX = 1024
SITE_PATH_MAX = 100
SECTION_GROUP_TITLE_MAX = 100
CHANGE_REQUEST_SUBJECT_MAX = 100
CHANGE_REQUEST_LINKS_MAX = 10
CHANGE_REQUEST_LINK_TITLE_MAX = 128
CHANGE_REQUEST_REVIEWERS_MAX = 100
"""Users, and teams, that one request for reviews names."""
INVITED_MAX = 1000
"""Users, and teams, that one request gives a role on a space, collection or site."""
COMMENT_MAX = 20_000
"""Characters of a comment's or reply's Markdown."""
COMMENT_PREVIEW_MAX = 300
"""Characters of the commented text that are kept with a comment."""
COMMENT_REACTIONS_MAX = 50
"""Emoji that one request adds, or removes."""
MERGE_EXPRESSION_MAX = 1024
SHARE_LINK_NAME_MAX = 50
ICON_NAME_MAX = 50
TEAM_TITLE_MAX = 64
ORGANIZATION_TITLE_MIN, ORGANIZATION_TITLE_MAX = 2, 255
ORGANIZATION_HOSTNAME_MIN, ORGANIZATION_HOSTNAME_MAX = 3, 32
URL_MAX = 2048
SAML_LABEL_MAX = 30
SAML_ENTITY_MAX = 1024
SAML_CERTIFICATE_MAX = 10000
OPENAPI_SLUG_MAX = 100
SEARCH_QUERY_MAX = 512
INTEGRATION_TITLE_MIN, INTEGRATION_TITLE_MAX = 2, 30
INTEGRATION_DESCRIPTION_MAX = 100
INTEGRATION_SUMMARY_MAX = 2048
INTEGRATION_NAME_MAX = 100
USER_NAME_MAX = 64
VARIABLE_VALUE_MAX = 256
DELETED_SPACE_DAYS = 7

PAGE_SLUG_MAX = 100
PAGE_TITLE_MAX = 1000
CHANGES_SHOWN = 10
"""Differences between revisions that an answer names where no limit is given."""
CHANGES_MAX = 50
"""Of content, in one batch."""
FILES_MAX = 20
"""Inserted by one change."""
FILE_NAME_MAX = 256
FILE_BASE64_MAX = 1 << 20
"""Bytes of a file that comes inside a body."""
UPLOAD_MAX = 256 << 20
"""Bytes of a file that is uploaded to an address of its own."""
CHANGES_BODY_MAX = 64 << 20
"""Bytes of a batch of changes."""

BODY_MAX = 1 << 20
"""Bytes of a request body, unless the operation's row says more."""
PATH_MAX = 2048
"""Characters of a page path in an address."""
