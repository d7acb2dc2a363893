"""Floors for what the function is called: where its name says all, no shell and no SQL is needed."""

from riskgate.core.action import Action
from riskgate.core.levels import Level
from riskgate.core.scoring.rules import Part, Rule

_DESTROY = rb"(?:delete|destroy|remove|drop|purge|terminate|wipe|erase|truncate|nuke)"
_LOOKS = (
    rb"^(?:get|list|read|fetch|search|find|check|view|show|describe|calculate|estimate|quote|preview"
    rb"|validate|query"
    rb"|count|lookup|is|can|has|should|simulate|explain|suggest|plan|draft) "
)
_YES = rb"=(?:true|1|yes|on)(?:$|\n)"

CALLS = (
    Rule(
        id="guardrails.call.delete-everything",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )(%s (?:[a-z0-9]+ )*(?:namespaces?|clusters?|buckets?|databases?|db|schemas?"
        rb"|backups?"
        rb"|organi[sz]ations?"
        rb"|tenants?|subscriptions?|resource groups?|cloud accounts?|aws accounts?|gcp projects?)"
        rb"|(?:drop|truncate) (?:[a-z0-9]+ )*tables?)$" % _DESTROY,
        unless=_LOOKS,
        floor=Level.CRITICAL,
        sentence="The name says that something whole is deleted: that reaches everything in it, for good.",
        phrase="deletes something whole",
        match=(
            Action("delete_namespace", ("payments",)),
            Action("dropTable", ("users",)),
            Action("s3.delete_bucket"),
        ),
        no_match=(
            Action("delete_user", ("usr_1",)),
            Action("delete_table_row"),
            Action("list_deleted_buckets"),
            Action("get_delete_bucket"),
        ),
    ),
    Rule(
        id="guardrails.call.delete-many",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )(%s (?:all|everything|every|bulk|many)|(?:bulk|batch|mass) (?:[a-z0-9]+ )*%s"
        rb"|%s (?:[a-z0-9]+ )*(?:tables?|volumes?|disks?|snapshots?|stacks?"
        rb"|repositor(?:y|ies)|repos?|vaults?|project))(?: |$)" % (_DESTROY, _DESTROY, _DESTROY),
        unless=_LOOKS
        + rb"| (?:rows?|cells?|columns?|labels?|tags?|members?|collaborators?|files?|topics?|items?)$",
        floor=Level.HIGH,
        sentence="The name says that much is deleted, and it cannot be undone.",
        phrase="deletes much at once",
        match=(
            Action("delete_all_users"),
            Action("bulk_delete", ([1, 2],)),
            Action("delete_repository", ("x",)),
        ),
        no_match=(
            Action("delete_user"),
            Action("delete_table_row"),
            Action("remove_repository_label"),
            Action("alleviate"),
        ),
    ),
    Rule(
        id="guardrails.call.force-push",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )(push)(?: |$)",
        needs=rb"(?:^|\n)(?i:force|force_push|forcepush)%s" % _YES,
        floor=Level.HIGH,
        sentence="A force-push rewrites history that others may have, and the old one is lost.",
        phrase="force-push rewrites history",
        match=(Action("git_push", kwargs={"remote": "origin", "ref": "main", "force": True}),),
        no_match=(
            Action("git_push", kwargs={"ref": "main", "force": False}),
            Action("git_push", kwargs={"ref": "force"}),
        ),
    ),
    Rule(
        id="guardrails.call.move-money",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )((?:wire|payouts?|refund|withdraw|disburse|remit|reimburse|transfer|pay"
        rb"|payment|charge)"
        rb"|(?:send|move|release) (?:[a-z]+ )?(?:money|funds|payments?|payouts?|crypto|tokens?|eth|btc"
        rb"|usdc))(?: |$)",
        unless=_LOOKS,
        needs=rb"(?:^|\n)(?i:[^\n=]*(?:amount|sum|total|value|funds|cents|usd|eur)[^\n=]*|[0-9]+)="
        rb"[\"']?[-+$]?[0-9][0-9.,_]*(?:$|\n|[\"' ])",
        floor=Level.HIGH,
        sentence="It moves money, which may not come back.",
        phrase="moves money",
        match=(
            Action("transfer_funds", kwargs={"to": "DE89", "amount": 48200, "currency": "EUR"}),
            Action("create_refund", ("ord_1",), {"amount": 129.9}),
            Action("wireTransfer", ("DE89", 500)),
        ),
        no_match=(
            Action("get_refund", kwargs={"amount": 5}),
            Action("transfer_ownership", ("bob",)),
            Action("calculate_payment", kwargs={"amount": 5}),
            Action("update_pricing", kwargs={"price": 9.5}),
        ),
    ),
    Rule(
        id="guardrails.call.turn-off-safeguard",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )((?:disable|stop|turn off|pause|suspend|deactivate|shut off) (?:[a-z0-9]+ )*"
        rb"(?:backups?|firewalls?|(?:audit )?logging|audit logs?|auditing|monitoring|alerting|antivirus"
        rb"|protection))$",
        floor=Level.HIGH,
        sentence="It turns off a backup, a log or a guard.",
        phrase="turns off a safeguard",
        match=(Action("disable_backups"), Action("stopAuditLogging"), Action("turn_off_firewall")),
        no_match=(Action("disable_user"), Action("enable_logging"), Action("stop_timer")),
    ),
    Rule(
        id="guardrails.call.bulk-secrets",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )((?:dump|export|print|reveal|exfiltrate|download) (?:[a-z0-9]+ )*"
        rb"(?:secrets|credentials|passwords|private keys|api keys|env|environment variables))$",
        floor=Level.HIGH,
        sentence="It prints or exports secrets in bulk.",
        phrase="prints secrets",
        match=(Action("export_secrets"), Action("dumpCredentials"), Action("print_env")),
        no_match=(Action("get_secret"), Action("export_report"), Action("set_password")),
    ),
    Rule(
        id="guardrails.call.rotate-keys",
        family="guardrails.call",
        part=Part.CALL,
        pattern=rb"(?:^| )((?:rotate|regenerate|roll|revoke|renew) (?:[a-z0-9]+ )*"
        rb"(?:keys?|secrets?|credentials?|certificates?|certs?|access tokens?|api tokens?))(?: |$)",
        unless=_LOOKS,
        floor=Level.HIGH,
        sentence="Rotating a live key stops whatever still uses it.",
        phrase="rotates live keys",
        match=(Action("rotate_api_key", ("live",)), Action("regenerateSecret"), Action("revoke_credentials")),
        no_match=(
            Action("rotate_image"),
            Action("list_keys"),
            Action("renew_subscription"),
            Action("check_rotate_key"),
        ),
    ),
)
