"""Floors for what blinds or disarms those who guard a machine: firewalls, logs, backups."""

from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import command
from riskgate.core.scoring.rules import Part, Rule

_WATCHING = (
    *(
        "firewalld",
        "ufw",
        "nftables",
        "iptables",
        "fail2ban",
        "mpssvc",
        "apparmor",
        "selinux",
        "falco",
        "osqueryd",
    ),
    *(
        "wazuh-agent",
        "clamav",
        "clamd",
        "crowdstrike",
        "falcon-sensor",
        "windefend",
        "auditd",
        "eventlog",
        "syslog",
    ),
    *(
        "rsyslog",
        "syslogd",
        "rsyslogd",
        "syslog-ng",
        "journald",
        "systemd-journald",
        "backup",
        "backups",
        "restic",
    ),
    *("borg", "borgmatic", "bacula", "velero", "snapper", "timeshift", "vss"),
)
_WATCHER = rb"(?:[a-z0-9@._-]*[@._-])?(?:%s)(?:[@._-][a-z0-9@._-]*)?" % "|".join(_WATCHING).encode()

WATCH = (
    Rule(
        id="guardrails.watch.service",
        family="guardrails.watch",
        part=Part.COMMAND,
        pattern=command(
            rb"systemctl ... (?:stop|disable|mask|kill) ... %s|service %s stop|(?:sc"
            rb"|net)(?:\.exe)? (?:stop|delete) %s"
            rb"|(?:stop|remove|disable)-service ... %s|pkill ... %s|killall ... %s|chkconfig %s off"
            rb"|launchctl (?:unload|remove) ... %s" % ((_WATCHER,) * 8)
        )
        + rb"(?:$| )",
        heads=(
            "systemctl",
            "service",
            "sc",
            "net",
            "stop-service",
            "remove-service",
            "disable-service",
            "pkill",
            "killall",
            "chkconfig",
            "launchctl",
        ),
        words=_WATCHING,
        floor=Level.HIGH,
        sentence="It turns off a firewall, a log, a guard or a backup.",
        phrase="turns off a safeguard",
        match=(
            "systemctl stop firewalld",
            "sudo systemctl disable --now auditd",
            "service rsyslog stop",
            "pkill auditd",
        ),
        no_match=(
            "systemctl restart auditd",
            "systemctl stop nginx",
            "service rsyslog status",
            "stop the firewall drill",
        ),
    ),
    Rule(
        id="guardrails.watch.firewall",
        family="guardrails.watch",
        part=Part.COMMAND,
        pattern=command(
            rb"ufw (?:--force )?(?:disable|reset)|ip6?tables ... (?:-f|--flush|-x)"
            rb"|ip6?tables ... -p (?:input|forward) accept"
            rb"|nft flush ruleset|setenforce (?:0|permissive)|netsh advfirewall ... state off|pfctl ... -d"
            rb"|set-netfirewallprofile ... -enabled ... false|set-mppreference ... -disable[a-z]+ (?:\$t"
            rb"rue|1)"
        )
        + rb"(?:$| )",
        heads=(
            "ufw",
            "iptables",
            "ip6tables",
            "nft",
            "setenforce",
            "netsh",
            "pfctl",
            "set-netfirewallprofile",
            "set-mppreference",
        ),
        floor=Level.HIGH,
        sentence="It turns off a firewall or a guard of the whole machine.",
        phrase="turns off the firewall",
        match=("ufw disable", "iptables -F", "iptables -P INPUT ACCEPT", "setenforce 0", "nft flush ruleset"),
        no_match=("ufw status", "iptables -L", "iptables -A INPUT -p tcp -j ACCEPT", "setenforce 1"),
    ),
    Rule(
        id="guardrails.watch.logs",
        family="guardrails.watch",
        part=Part.COMMAND,
        pattern=command(
            rb"auditctl ... (?:-e 0|-d)|history ... -c|unset histfile|wevtutil (?:cl|clear-log) ..."
            rb"|clear-eventlog ...|aws ... cloudtrail (?:stop-logging|delete-trail) ..."
            rb"|aws ... configservice (?:stop|delete)-configuration-recorder ..."
            rb"|aws ... guardduty (?:delete-detector|disable[a-z-]*) ..."
            rb"|aws ... logs delete-log-(?:group|stream) ...|gcloud ... logging (?:sinks|buckets"
            rb"|logs) delete ..."
            rb"|az monitor (?:diagnostic-settings|log-profiles) delete ..."
        )
        + rb"(?:$| )",
        heads=("auditctl", "history", "unset", "wevtutil", "clear-eventlog", "aws", "gcloud", "az"),
        floor=Level.HIGH,
        sentence="It turns off or empties a log, so that nobody can see what happened.",
        phrase="turns off or empties logs",
        match=(
            "auditctl -e 0",
            "history -c",
            "unset HISTFILE",
            "aws cloudtrail stop-logging --name main",
        ),
        no_match=("history", "auditctl -l", "aws cloudtrail describe-trails", "log in", "unset FOO"),
    ),
    Rule(
        id="guardrails.watch.log-files",
        family="guardrails.watch",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:truncate|rm|shred) ... /var/log/[^ |]*"
            rb"|(?:(?:cat|echo|printf|:|true) ...(?: < [^ |]+)? )?> /var/log/[^ |]*"
        )
        + rb"(?:$| )",
        words=("/var/log/",),
        floor=Level.HIGH,
        sentence="It empties or deletes a log, so that nobody can see what happened.",
        phrase="empties logs",
        match=("> /var/log/auth.log", "truncate -s 0 /var/log/syslog", "cat /dev/null > /var/log/wtmp"),
        no_match=("cat /var/log/syslog", "echo x > app.log", "grep x /var/log/syslog | sort"),
    ),
    Rule(
        id="guardrails.watch.backups",
        family="guardrails.watch",
        part=Part.COMMAND,
        pattern=command(
            rb"vssadmin ... (?:delete shadows|resize shadowstorage)|wbadmin (?:delete"
            rb"|disable) ... (?:catalog|backup|systemstatebackup)"
            rb"|wmic shadowcopy delete|bcdedit ... recoveryenabled no|tmutil (?:disable"
            rb"|deletelocalsnapshots|delete) ..."
            rb"|(?:restic|borg) ... (?:forget ... --prune|delete)|velero ... delete ... (?:backup|backups)"
        )
        + rb"(?:$| )",
        heads=("vssadmin", "wbadmin", "wmic", "bcdedit", "tmutil", "restic", "borg", "velero"),
        floor=Level.CRITICAL,
        sentence="Without its backups, what is lost next is lost for good.",
        phrase="deletes or stops backups",
        match=(
            "vssadmin delete shadows /all /quiet",
            "wmic shadowcopy delete",
            "borg delete repo",
            "velero backup delete backups",
        ),
        no_match=("vssadmin list shadows", "restic snapshots", "borg list repo", "wmic process list"),
    ),
)
