"""What a call that a rule with a floor matched does, whether that can be undone, and the words for effects.

Tables only. What is not sure has "" for whether it can be undone, and then nobody is asked.
"""

from dataclasses import dataclass

NO, IN_PART, YES = "No", "In part", "Yes"

UNDO = (NO, IN_PART, YES)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a matched rule makes sure.

    text   the right answer to what the call does
    topic  what it is about; beside an outcome stand only others of other topics
    undo   the right answer to whether it can be undone, backups left aside; "" where that depends
    words  the names in WORDS that name it
    """

    text: str
    topic: str
    undo: str
    words: tuple[str, ...]


_FILES = Outcome("Deletes files or whole folders", "files", NO, ("gone",))
_DISK = Outcome("Wipes or overwrites a whole disk", "disk", NO, ("gone", "changed"))
_HISTORY = Outcome("Rewrites the history of a branch", "history", "", ("gone", "changed", "pushed"))
_GUARD = Outcome("Turns a guard, a log or a backup off", "guard", "", ("stopped", "gone"))
_LOG = Outcome("Empties a log or turns logging off", "guard", "", ("stopped", "gone"))
_KIND = Outcome("Deletes all of a kind in a cluster", "cluster", NO, ("gone",))
_ROWS = Outcome("Removes every row of a table", "sql", NO, ("gone",))
_PRINT = Outcome("Prints or exports stored secrets", "secrets", "", ("read", "sent"))
_KEY = Outcome("Exchanges or removes a live key", "keys", "", ("changed", "gone", "revoked"))

OUTCOMES: dict[str, Outcome] = {
    "guardrails.delete.wide": _FILES,
    "guardrails.delete.recursive": _FILES,
    "guardrails.delete.find": _FILES,
    "guardrails.delete.code": _FILES,
    "guardrails.delete.windows": _FILES,
    "guardrails.delete.git-clean": _FILES,
    "guardrails.disk.format": _DISK,
    "guardrails.disk.write": _DISK,
    "guardrails.disk.partition": Outcome(
        "Changes the partitions of a disk", "disk", "", ("changed", "gone", "created")
    ),
    "guardrails.disk.shred": _FILES,
    "guardrails.git.force-push": _HISTORY,
    "guardrails.git.rewrite-history": _HISTORY,
    "guardrails.shell.fork-bomb": Outcome(
        "Fills a machine until it stands still", "machine", "", ("stopped", "started", "filled")
    ),
    "guardrails.shell.run-download": Outcome(
        "Runs a program out of the internet", "program", "", ("run", "created")
    ),
    "guardrails.watch.service": _GUARD,
    "guardrails.watch.firewall": _GUARD,
    "guardrails.watch.logs": _LOG,
    "guardrails.watch.log-files": _LOG,
    "guardrails.k8s.delete-namespace": Outcome("Deletes a namespace and all in it", "cluster", NO, ("gone",)),
    "guardrails.k8s.delete-all": _KIND,
    "guardrails.k8s.delete-storage": Outcome("Deletes vital parts of a cluster", "cluster", NO, ("gone",)),
    "guardrails.cloud.destroy-stack": Outcome(
        "Destroys a stack and all built with it", "cloud", NO, ("gone",)
    ),
    "guardrails.cloud.delete-storage": Outcome(
        "Deletes a bucket or all that is in it", "cloud", NO, ("gone",)
    ),
    "guardrails.cloud.delete-account": Outcome(
        "Deletes an account, project or cluster", "cloud", NO, ("gone",)
    ),
    "guardrails.cloud.delete-database": Outcome(
        "Deletes a database, a disk or backups", "cloud", NO, ("gone",)
    ),
    "guardrails.cloud.delete-machine": Outcome("Deletes a machine or a volume", "cloud", NO, ("gone",)),
    "guardrails.secrets.print": _PRINT,
    "guardrails.secrets.send": Outcome("Sends or copies secrets elsewhere", "secrets", NO, ("sent",)),
    "guardrails.secrets.rotate": _KEY,
    "guardrails.sql.drop-database": Outcome("Drops a database and all in it", "sql", NO, ("gone",)),
    "guardrails.sql.drop-table": Outcome("Drops a table with every row of it", "sql", NO, ("gone",)),
    "guardrails.sql.drop-column": Outcome("Drops a column with its values", "sql", NO, ("gone",)),
    "guardrails.sql.truncate": _ROWS,
    "guardrails.sql.delete-all": _ROWS,
    "guardrails.sql.update-all": Outcome("Overwrites every row of a table", "sql", NO, ("changed", "gone")),
    "guardrails.database.delete-everything": Outcome(
        "Empties a database or a collection", "sql", NO, ("gone",)
    ),
    "guardrails.call.turn-off-safeguard": _GUARD,
    "guardrails.call.bulk-secrets": _PRINT,
    "guardrails.call.rotate-keys": _KEY,
}
"""By the id of the rule. The rules about what a name says are left to the name's own words."""

FALSE: dict[str, tuple[str, ...]] = {
    "files": ("Moves files to another folder", "Lists the files in some folders"),
    "disk": ("Shows how full a disk has become", "Makes a whole disk readable only"),
    "history": ("Shows the history of a branch", "Fetches new commits of a branch"),
    "guard": ("Shows what a log or guard has found", "Makes a guard, log or backup anew"),
    "machine": ("Shows what a machine is doing now", "Gives a machine some other name"),
    "program": ("Shows a text from the internet", "Looks for a newer program version"),
    "cluster": ("Lists all of a kind in a cluster", "Restarts some parts of a cluster"),
    "cloud": ("Lists what is stored in the cloud", "Makes a cloud project for a team"),
    "secrets": ("Removes a secret that is not used", "Makes a new secret for a service"),
    "keys": ("Shows when a key was last in use", "Counts all the keys of a service"),
    "sql": ("Adds some new rows to a table", "Reads rows and changes nothing"),
}
"""What none of a topic's outcomes is."""

CERTAIN: dict[str, str] = {
    **dict.fromkeys(("deleted", "emptied", "sent", "delete", "drop table", "truncate", "remove"), NO),
    **dict.fromkeys(("published",), IN_PART),
    **dict.fromkeys(("locked", "unlocked", "renamed", "rename"), YES),
}
"""Whether an effect of `effects` can be undone, for those of which it is sure."""

WORDS_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("deleted taken emptied ended delete truncate remove cloud".split(), ("gone",)),
    "drop table": ("gone",),
    **dict.fromkeys("changed owned mode password renamed rename update".split(), ("changed",)),
    "alter table": ("changed", "created", "gone"),
    **dict.fromkeys("created insert folder install".split(), ("created",)),
    "create table": ("created",),
    "create index": ("created",),
    **dict.fromkeys("read counted show select".split(), ("read",)),
    **dict.fromkeys("sent published exported".split(), ("sent",)),
    **dict.fromkeys("started restarted restart unlocked".split(), ("started", "stopped")),
    **dict.fromkeys("stopped locked held kill power lock encrypted".split(), ("stopped", "gone")),
    **dict.fromkeys("moved copied move copy".split(), ("moved", "created")),
    **dict.fromkeys("granted grant".split(), ("granted",)),
    **dict.fromkeys("revoked revoke".split(), ("revoked", "gone")),
    **dict.fromkeys("replaced reverted merged converted disk".split(), ("changed", "gone")),
    **dict.fromkeys("deployed push schedule".split(), ("pushed", "started", "run")),
    **dict.fromkeys("transferred paid refunded charged lent".split(), ("paid", "sent", "moved")),
    "set aside": ("paid", "moved"),
    "written off": ("gone",),
}
"""The names in WORDS that name an effect of `effects`."""

_WORDS: dict[str, str] = {
    "gone": """
        delet* remov* wipe* wiping drop* eras* destroy* destruct* purg* lose* losing lost loss disappear* vanish*
        rid eliminat* kill* terminat* obliterat* nuke* nuking tear tears tearing tore torn clear* clean* truncat*
        empty empties emptied emptying discard* trash* scrap* gone uninstall* dismantl* decommission* annihilat*
        cancel* detach* unlink* shred* flush* throw* threw rip rips ripped
        ripping blow* blew demolish* flatten* raz* cut cuts expire* end ends ended ending""",
    "changed": """
        chang* updat* set sets setting modif* edit* alter* adjust* overwrit* overwrote replac* rewrit* rewrote put puts
        zero* reset* mark* assign* configur* patch* correct* close* closing becom* renam* rotat* exchang* renew* swap*
        format* revert* restor* roll* rolls merg* combin* convert* raise* lower* increas* reduc*""",
    "created": """
        creat* insert* add adds added adding mak* make makes made new provision* install* copy copies copied copying
        duplicat* clon* register* build*""",
    "read": """
        read* list* show* fetch* look* search* find* check* print* reveal* display* view* count* get gets query queries
        queried dump* expos* output*""",
    "sent": """
        send* sent mail* email* notif* announc* deliver* forward* post* publish* export* upload* leak* transmit* write*
        wrote written inform* messag* tell tells expos* reveal* dump* goes copy copies copied copying exfiltrat*""",
    "started": """
        start* restart* enabl* activat* launch* reboot* resum* unlock* open* reopen* boot* bring* run runs running
        unblock* unfreez* allow*""",
    "stopped": """
        stop* disabl* off halt* shut* paus* suspend* deactivat* lock* block* freez* froze* frozen kill* end ends ended
        interrupt* down ban bans banned hang* crash*""",
    "moved": "mov* transfer* migrat* relocat* shift* goes go rename* copy copies copied copying",
    "granted": "grant* giv* gave allow* assign* permission* permit* access* allocat* let lets",
    "revoked": "revok* withdr* tak* took remov* unassign* depriv* away invalidat*",
    "pushed": "push* deploy* releas* publish* upload* roll* ship* force* forcing",
    "paid": """
        pay* paid transfer* send* sent mov* wir* giv* gave refund* charg* debit* reimburs* collect* credit* goes leav*
        withdr* lend* lent disburs* remit*""",
    "run": "run* ran execut* start* launch* call* invok* install* download* perform* carr*",
    "filled": "fill* spawn* fork* overload* exhaust* flood* hang* freez* crash*",
}

WORDS: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {
    name: (
        frozenset(word for word in words.split() if not word.endswith("*")),
        tuple(word[:-1] for word in words.split() if word.endswith("*")),
    )
    for name, words in _WORDS.items()
}
"""How people name an effect: whole words, and how words begin."""
