"""The pack `guardrails`: floors that any operator would expect.

Irreversible and wide is CRITICAL; irreversible and narrow, or wide and reversible, is HIGH. A false alarm
counts as much as a miss: a command that is only mentioned, and a statement that WHERE holds back, meet no
floor.
"""

from riskgate.core.scoring.packs.guardrails.calls import CALLS
from riskgate.core.scoring.packs.guardrails.cloud import CLOUD
from riskgate.core.scoring.packs.guardrails.code import CODE
from riskgate.core.scoring.packs.guardrails.delivery import DELIVERY
from riskgate.core.scoring.packs.guardrails.entry import ENTRY
from riskgate.core.scoring.packs.guardrails.files import FILES
from riskgate.core.scoring.packs.guardrails.machine import MACHINE
from riskgate.core.scoring.packs.guardrails.secrets import SECRETS
from riskgate.core.scoring.packs.guardrails.sql import SQL
from riskgate.core.scoring.packs.guardrails.sql_reach import SQL_REACH
from riskgate.core.scoring.packs.guardrails.system import SYSTEM
from riskgate.core.scoring.packs.guardrails.verbs import VERBS
from riskgate.core.scoring.packs.guardrails.watch import WATCH
from riskgate.core.scoring.rules import Pack

GUARDRAILS = Pack(
    name="guardrails",
    title="Guardrails",
    sentence="The least level of what cannot be undone or reaches far, whatever the average says.",
    rules=(
        *FILES,
        *CODE,
        *SYSTEM,
        *MACHINE,
        *ENTRY,
        *WATCH,
        *CLOUD,
        *DELIVERY,
        *SECRETS,
        *SQL,
        *SQL_REACH,
        *CALLS,
        *VERBS,
    ),
)
