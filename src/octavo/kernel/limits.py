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
QUERY_WORDS_MAX = 256
"""Characters by which operators search accounts."""
JOB_KIND_MAX = 64
SECTION_DESCRIPTION_MAX = 256
CONDITION_MAX = 1024
SITE_PATH_MAX = 100
SECTION_GROUP_TITLE_MAX = 100
SECTION_GROUPS_DEEPEST = 4
"""Groups of sections in one another."""
SITE_ENTRIES_MAX = 500
"""Sections, their groups and links to elsewhere of one site."""
SITE_SPACES_MAX = 1000
"""Site-spaces of one site."""
CHANGE_REQUEST_SUBJECT_MAX = 100
CHANGE_REQUEST_LINKS_MAX = 10
CHANGE_REQUEST_LINK_TITLE_MAX = 128
CHANGE_REQUEST_REVIEWERS_MAX = 100
"""Users, and teams, that one request for reviews names."""
INVITED_MAX = 1000
"""Users, and teams, that one request gives a role on a space, collection or site."""
COMMENT_MAX = 20_000
"""Characters of a comment's or reply's Markdown."""
PRESENCE_SECONDS = 45
"""For how long somebody is taken to be where she said."""
PRESENCES_OF_USER = 20
"""Tabs of one person in one space that are told of; the oldest make room."""
PRESENCES_SHOWN = 200
COMMENT_PREVIEW_MAX = 300
"""Characters of the commented text that are kept with a comment."""
COMMENT_REACTIONS_MAX = 50
"""Emoji that one request adds, or removes."""
MERGE_EXPRESSION_MAX = 1024
SHARE_LINK_NAME_MAX = 50
SHARE_LINKS_MAX = 1000
"""Of one site."""
SHARE_COOKIE_DAYS = 30
"""Days for which a browser that came by a share link comes in without it."""
VISITOR_TOKEN_MAX = 3800
"""Characters of a visitor's token: browsers keep no larger cookies."""
PUBLIC_CLAIMS_MAX = 2000
"""Characters of what visitors say of themselves: percent-encoded in a cookie, or as JSON by way of a renderer."""
PREVIEW_HOURS = 1
CHANGE_PREVIEW_HOURS = 7 * 24
"""For reviewers, who take their time."""
PREVIEW_CLAIMS_MAX = 1000
ADAPTIVE_PROPERTIES_MAX = 200
"""Claims of one schema, in whatever depth."""
ADAPTIVE_DEEPEST = 5
ADAPTIVE_TEXT_MAX = 1000
"""Characters of a name, a description or a value in such a schema."""
LOOK_LINK_TITLE_MAX = 64
"""Of links in the header and the footer of a site."""
LOOK_LINKS_MAX = 100
"""Links, and groups of links, in one place of a site's look."""
LOOK_SPACES_MAX = 50
"""Spaces that the links of a site's look lead into."""
ANNOUNCEMENT_MIN, ANNOUNCEMENT_MAX = 2, 128
COPYRIGHT_MAX = 512
SOCIAL_ACCOUNTS_MAX = 10
SOCIAL_HANDLE_MAX = 128
ASSISTANT_GREETING_MAX = 256
ASSISTANT_QUESTIONS_MAX = 5
ASSISTANT_QUESTION_MIN, ASSISTANT_QUESTION_MAX = 3, 64
ASSISTANT_INSTRUCTIONS_MAX = 10_000
FONT_FAMILY_MAX = 50
FONT_FACES_MAX = 18
"""Of one font: more weights than any has."""
FONT_FACE_BYTES = 1 << 20
FONTS_MAX = 100
"""Of one organization."""
PICTURE_BYTES = 1 << 20
"""Of a logo, an icon or the picture of previews."""
REDIRECT_SOURCE_MAX = 512
REDIRECTS_BULK_MAX = 500
REDIRECTS_MAX = 10_000
"""Of one site, drafts among them."""
REDIRECT_HOPS = 20
"""Redirects that one leads through at most."""
HOSTNAME_WISH_DAYS = 7
"""Days for which a hostname that nobody proved is kept from others, and after which a proven one that fails is let go."""
HOSTNAME_CHECK_HOURS = 24
"""Between two proofs of a hostname."""
MCP_SERVER_NAME_MAX = 100
MCP_SERVERS_MAX = 50
"""Of one site."""
MCP_HEADERS_MAX = 20
MCP_HEADER_MAX = 512
INSIGHTS_EVENTS_MAX = 1000
"""In one batch."""
INSIGHTS_BODY_MAX = 8 << 20
"""Bytes of a batch."""
INSIGHTS_MINUTES = 5
"""How far ahead of now the moment of an event may be, as clocks differ."""
INSIGHTS_ID_MAX = 256
"""Characters of the ids of visitors, sessions and events, which are hashed."""
INSIGHTS_TEXT_MAX = 512
"""Characters of what events say: queries, comments, what a browser is."""
INSIGHTS_CLAIMS_MAX = 100
"""Claims of a visitor, in whatever depth."""
INSIGHTS_CLAIMS_BYTES = 8192
INSIGHTS_COOKIES_MAX = 100
INSIGHTS_TERMS_MAX = 20
"""Columns that one aggregation selects, groups by or filters."""
INSIGHTS_VALUES_MAX = 1000
"""Values of one filter."""
INSIGHTS_YEARS = 5
"""Between the ends of a range."""
INSIGHTS_KEY_HOURS = 24
"""Hours for which the same event is not counted again."""
INSIGHTS_SEGMENTS = 1000
INSIGHTS_VISITORS_MAX = 100
"""Visitors that one request forgets."""
INSIGHTS_BEACON_BYTES = 16 << 10
"""Bytes that a page of a site sends at once."""
INSIGHTS_BEACON_EVENTS = 20
INSIGHTS_BEACONS = 240
"""Times that pages send something from one address in a minute."""
ICON_NAME_MAX = 50
TEAM_TITLE_MAX = 64
SCIM_PAGE_MAX = 200
"""Users or groups in one answer of SCIM."""
SCIM_BODY_MAX = 2 << 20
SCIM_MEMBERS_MAX = 10_000
"""Of one group."""
SCIM_PROFILE_BYTES = 16 << 10
"""Of what SCIM says of one user."""
SCIM_TEXT_MAX = 255
SCIM_TOKENS_MAX = 10
"""Of one organization."""
SCIM_AT_ONCE = 4
"""Requests for SCIM that one process works on; the rest waits."""
ORGANIZATION_TITLE_MIN, ORGANIZATION_TITLE_MAX = 2, 255
ORGANIZATION_HOSTNAME_MIN, ORGANIZATION_HOSTNAME_MAX = 3, 32
URL_MAX = 2048
SAML_LABEL_MAX = 30
SAML_ENTITY_MAX = 1024
SAML_CERTIFICATE_MAX = 10000
OIDC_CLIENT_MAX = 255
OIDC_SECRET_MAX = 4096
OIDC_CLAIM_MAX = 100
OIDC_VALUES_MAX = 200
"""Values of a claim that stand for roles, or for teams."""
OPENAPI_SLUG_MAX = 100
OPENAPI_BYTES = 10 << 20
"""Of one specification."""
OPENAPI_BODY_MAX = 16 << 20
"""Bytes of a body that holds one: in JSON a text takes more than its own."""
OPENAPI_FILE_BYTES = 256 << 10
"""Of a description that lies among the files of a space: it is read while a reader waits."""
OPENAPI_FILE_OPERATIONS_MAX = 500
OPENAPI_SPECS_MAX = 200
"""Of one organization."""
OPENAPI_VERSIONS_MAX = 50
"""Of one specification; older ones go."""
OPENAPI_OPERATIONS_MAX = 5_000
"""Of one specification."""
OPENAPI_ERRORS_MAX = 20
"""That are told of one run; the rest is counted."""
OPENAPI_REFETCH_HOURS = 6
"""After which a specification at an address is fetched again."""
OPENAPI_RETRY_MINUTES = 60
"""The same after one that could not be fetched."""
SEARCH_QUERY_MAX = 512
INTEGRATION_TITLE_MIN, INTEGRATION_TITLE_MAX = 2, 30
INTEGRATION_DESCRIPTION_MAX = 100
INTEGRATION_SUMMARY_MAX = 2048
INTEGRATION_NAME_MAX = 100
USER_NAME_MAX = 64
TOKEN_LABEL_MAX = 50
TOKENS_MAX = 100
"""Tokens of one user."""
SESSION_DAYS = 30
"""Days after which a browser has to sign in again, however much it is used."""
SESSION_IDLE_DAYS = 7
"""Days without use after which it has to."""
PASSWORD_MIN, PASSWORD_MAX = 10, 1024
LOGIN_CODE_MINUTES = 10
LOGIN_CODE_DIGITS = 8
LOGIN_CODE_TRIES = 5
"""Wrong codes after which a code is worth nothing."""
ATTEMPTS_MINUTES = 60
"""The longest time in which something is counted in the database."""
LOGIN_MINUTES = 15
"""The time in which attempts to log in are counted."""
LOGINS_OF_ACCOUNT = 10
"""Attempts for one account in that time."""
LOGINS_OF_ADDRESS = 50
"""Attempts from one address in that time, whatever the accounts."""
KNOWN_BROWSER_DAYS = 365
"""For which a browser that signed in to an account is counted by itself, whatever others try."""
CODES_OF_ACCOUNT = 5
"""Codes mailed to one address in that time."""
NOTIFICATION_DAYS = 90
"""Days for which notifications are kept, read or not."""
NOTIFICATION_QUIET_MINUTES = 10
"""Minutes without news after which a digest goes out."""
NOTIFICATION_WAIT_MINUTES = 60
"""Minutes after which it goes out however much is going on."""
DIGEST_MAX = 50
"""Notifications that one digest tells; of more it says how many."""
EXCERPT_MAX = 200
"""Characters of a comment that a notification shows."""
FEEDBACK_COMMENT_MAX = 512
"""Characters that a reader may say of a page."""
FEEDBACK_OF_ADDRESS = 60
"""Times that readers from one address may rate pages of a site within an hour."""
PDFS_OF_ADDRESS = 12
"""PDFs of a site that readers from one address may have made within an hour."""
VARIABLE_VALUE_MAX = 256
DELETED_SPACE_DAYS = 7
DONE_JOB_DAYS = 7
"""For which the record of a job that was done is kept."""
FAILED_JOB_DAYS = 30
"""For which that of one that failed stays to be seen."""
DELETED_ORGANIZATION_DAYS = 7
DELETED_ACCOUNT_DAYS = 7
EMAIL_INVITE_DAYS = 14
"""Days for which an invitation by e-mail may be accepted."""
INVITES_MINUTES = 60
"""The time in which invitations are counted."""
INVITES_OF_USER = 500
"""Addresses that somebody invites in that time, into whichever organizations."""
INVITES_OF_MAILBOX = 5
"""Letters of invitation to one address in that time, whoever asks for them."""
INVITES_EMAILS_MAX = 100
"""Addresses that one request invites into an organization."""
EMAIL_INVITES_MAX = 1000
"""Invitations by e-mail into one organization that nobody accepted."""
LINK_INVITES_MAX = 1000
"""Links of one organization."""
EMAIL_DOMAINS_MAX = 100
EMAIL_DOMAIN_MAX = 253
DOMAIN_CHECK_HOURS = 24
"""Between two looks for the record of a domain."""
DOMAIN_LOST_DAYS = 7
"""After which a proven domain whose record stays away is no longer the organization's."""
EMAIL_MAX = 254
AUDIT_WORD_MAX = 256
"""Characters of what the audit log is asked for."""

TRANSLATION_TITLE_MAX = 100
TRANSLATIONS_MAX = 100
"""Of one organization."""
INSTRUCTIONS_MAX = 10_000
"""Characters of what a translator is told."""
GLOSSARY_MAX = 5000
"""Entries of one organization."""
GLOSSARY_OPERATIONS_MAX = 500
"""In one batch."""
TERM_MAX = 255
TRANSLATION_MEMORY_DAYS = 400
"""For which an answer of a translator is kept that no run needed."""
RUNS_KEPT = 100
"""Runs of one language that are over and still told of."""

IMPORT_FILES_MAX = 50
"""Of one import."""
IMPORTS_ACTIVE_MAX = 20
"""Imports of one organization that wait or run."""
IMPORTS_KEPT = 200
"""Imports of one organization that are told of; of those that are over the oldest make room."""

PAGE_SLUG_MAX = 100
COVER_HEIGHT_MAX = 2000
"""Pixels that a picture above a page may be high."""
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
UPLOADS_OF_USER_MAX = 100
"""Files that one user has announced and that are not removed yet."""
UPLOADS_OF_USER_BYTES = 1 << 30
UPLOADS_BYTES = 8 << 30
"""The same of one organization."""
UPLOAD_HOURS = 2
"""After which what was uploaded is removed; its key serves for an hour."""
CHANGES_BODY_MAX = 64 << 20
"""Bytes of a batch of changes."""

BODY_MAX = 1 << 20
"""Bytes of a request body, unless the operation's row says more."""
PATH_MAX = 2048
"""Characters of a page path in an address."""
GIT_OPERATIONS = 200
"""Git operations that a space remembers."""
GIT_OPERATIONS_WAITING = 20
"""Git operations that wait for their turn in one space."""
GIT_PUSHES_KEPT = 500
"""Posts of its Git host that a space remembers, so that none is taken twice."""
GIT_PUSHES_A_MINUTE = 60
"""Posts for one space from one address that are looked at."""
GIT_PUSH_BODY_MAX = 25 << 20
"""Bytes of such a post: what GitHub sends at most."""
GIT_BRANCHES = 200
"""Branches that a space remembers besides those that wait or have an open change request."""
GIT_BRANCHES_OPEN_MAX = 50
"""Change requests of one space that may follow branches at a time, whatever its connection says."""
GIT_BRANCHES_AT_ONCE = 8
"""Branches that one look has brought up to date; the next look takes the next ones."""
GIT_MESSAGE_MAX = 20_000
"""Characters of a commit's message."""


INTEGRATION_ICON_BYTES = 250 << 10
INTEGRATION_PREVIEWS_MAX = 3
INTEGRATION_PREVIEW_BYTES = 1 << 20
INTEGRATION_SCRIPT_MAX = 5 << 20
"""Characters."""
INTEGRATION_BODY_MAX = 12 << 20
"""Bytes of a published integration with its pictures and its script."""
INTEGRATION_LINKS_MAX = 5
INTEGRATION_PARTS_MAX = 50
"""Blocks, content sources, and properties of one configuration."""
INTEGRATION_PART_MIN, INTEGRATION_PART_MAX = 2, 40
"""Characters of the title of a block or a content source."""
INTEGRATION_PART_DESCRIPTION_MAX = 150
INTEGRATION_PROPERTY_MIN, INTEGRATION_PROPERTY_MAX = 2, 50
INTEGRATION_PROPERTY_DESCRIPTION_MAX = 100
INTEGRATION_SECRETS_MAX = 20
INTEGRATION_SECRET_MAX = 10_000
"""Characters of one secret."""
INTEGRATIONS_MAX = 200
"""Of one organization."""
EXTERNAL_IDS_MAX = 5
EXTERNAL_ID_MAX = 256
CONFIGURATION_BYTES = 64 << 10
"""Of one installation, or of one place of it, as JSON."""
PLACEMENTS_MAX = 2000
"""Spaces and sites of one installation."""
INTEGRATION_EVENT_DAYS = 7
"""Days for which it is told what integrations were sent."""
INTEGRATION_EVENTS_MAX = 5000
"""Of one integration: the newest are kept."""
INTEGRATION_TASK_BYTES = 64 << 10
INTEGRATION_TASK_SECONDS = 86_400
"""Seconds for which a task may wait."""
RENDER_REQUEST_MAX = 64 << 10
"""Characters of a request that was packed into an address."""
INTEGRATION_FETCH_BYTES = 1 << 20
"""Of a request that an integration answers itself."""
INTEGRATION_FETCHES = 300
"""Of these a minute from one address."""
BOARD_PRESSES = 60
"""Buttons of integrations' blocks that are pressed on sites in a minute from one address."""
TUNNEL_MAX = 256
"""Characters of the address of a development tunnel."""

WEBHOOKS_MAX = 50
"""Of one organization."""
WEBHOOK_TITLE_MAX = 100
WEBHOOK_PLACES_MAX = 100
"""Spaces, and sites, that one webhook is narrowed to."""
WEBHOOK_DAYS = 30
"""Days for which it is told what webhooks were sent."""
WEBHOOK_FORMER_HOURS = 24
"""For which a webhook's deliveries are signed with its former secret too."""
WEBHOOK_FAILING_DAYS = 3
"""After which a webhook that never answered is switched off."""
