"""Words that may stand for one another in a made-up answer: same sort, same class of length, same number."""

ENVIRONMENTS = (
    "production staging sandbox preview development integration acceptance",
    "prod test demo live beta",
    "dev qa uat int sit ci",
)

# The shortest words are left out: too many of them are also something else.
NOUNS = """
user team role task host node page post item cart note site lead deal plan bill cost rate pool blog book
form queue image cache event alert asset board owner buyer order group table email draft shift store client
member tenant ticket branch bucket backup server device domain folder report record refund coupon wallet
ledger cohort script policy schema volume widget vendor lesson account invoice payment session product
release profile project message contact partner cluster gateway network address article comment webhook
receipt calendar campaign contract customer database delivery document employee endpoint envelope incident
location merchant purchase register resource response schedule shipment snapshot supplier template timeline
workflow inventory statement reference candidate component container dashboard directory equipment migration
permission preference procedure repository collection department deployment experiment transaction
subscription certificate notification application organisation reservation installation configuration
announcement
"""

SERVICES = """
billing pricing catalog checkout identity shipping staffing training planning hosting search portal mailer
runner worker broker router loader parser poller frontend backend importer exporter indexer renderer
streamer reporter support finance sales legal design marketing security research payroll logistics
"""

FIRST_NAMES = """
anna emma lena nina omar paul ryan sara theo noah leah ivan hugo eric dora carl alice bobby carol david
erica frank grace helen irene james karen laura maria nadia oscar peter ralph susan albert bianca carmen
daniel evelyn fatima george hannah isabel joseph karina leonie martin nicole oliver charlie dominic eleanor
florian gabriel harriet jasmine kenneth lillian matthew natalie phoebe richard
"""

LAST_NAMES = """
smith jones brown davis moore clark lewis allen young adams baker hall miller wilson taylor parker turner
bennett harrison jackson robinson anderson thompson
"""

VERBS = """
get add set put list read send copy move sync stop find post book fetch write patch merge share clone lock
start close reset grant issue order block create update delete remove rename export import assign cancel
verify rotate revoke reject refund deploy archive restore publish approve disable enable inspect migrate
suspend restart replace transfer schedule download validate describe register terminate duplicate
"""

SETS = (
    "copilot helper agent pilot butler assistant",
    "jpg png gif pdf csv txt xml json yaml html",
    "eur usd gbp chf jpy sek nok dkk pln czk",
    "east west north south",
    "central southeast northeast northwest southwest",
    "monday tuesday wednesday thursday friday saturday sunday",
    "january february march april june july august september october november december",
    "active pending closed locked paused frozen",
    "archived suspended verified rejected approved expired",
    "hourly daily weekly monthly quarterly yearly",
    "admin editor viewer author tester",
    "main master trunk develop stable",
    "red blue green black white brown yellow purple orange",
    "low high medium urgent normal severe",
    "english german french spanish italian polish dutch swedish",
    "berlin paris london madrid vienna lisbon dublin athens",
    "logs data shared public private local remote",
)


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _length(word: str) -> int:
    return (len(word) - 1) // 2


def _classes(words: list[str]) -> list[tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for word in words:
        found.setdefault(_length(word), []).append(word)
    return [tuple(dict.fromkeys(group)) for group in found.values()]


def _peers(groups: list[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Each word in the first group that names it; a group of fewer than three says too little."""
    found: dict[str, tuple[str, ...]] = {}
    for group in groups:
        fresh = tuple(word for word in group if word not in found)
        if len(fresh) >= 3:
            found.update(dict.fromkeys(fresh, fresh))
    return found


_nouns = NOUNS.split()

PEERS: dict[str, tuple[str, ...]] = _peers(
    [tuple(line.split()) for line in ENVIRONMENTS]
    + [tuple(line.split()) for line in SETS]
    + _classes(_nouns)
    + _classes([_plural(noun) for noun in _nouns])
    + _classes(SERVICES.split())
    + _classes(FIRST_NAMES.split())
    + _classes(LAST_NAMES.split())
)
"""Word → the words that may replace it, itself among them. Replacing goes both ways."""

FUNCTION_PEERS: dict[str, tuple[str, ...]] = _peers(_classes(VERBS.split()))
"""The same for the verbs of function names."""

SINGULAR: dict[str, str] = {_plural(noun): noun for noun in _nouns}

THINGS: frozenset[str] = frozenset(_nouns) | frozenset(SINGULAR)

_SQL_WORDS = "table index schema database view user role group order set values from into"

_COMMAND_WORDS = """
deployment deployments service services node nodes namespace job jobs volume image container network stack
secret configmap cluster instance instances bucket branch remote add server host
"""

FIXED: dict[str, frozenset[str]] = {
    "sql": frozenset(_SQL_WORDS.split()),
    "command": frozenset(_COMMAND_WORDS.split()),
}
"""Words that belong to the language of a kind of text, and are no names in it."""
