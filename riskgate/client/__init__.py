"""The agent's side: a client over httpx, the check of grants, and a guard for functions.

It needs no other part of riskgate.
"""

from riskgate.client.guard import guarded
from riskgate.client.http import Action, Client, Decision
from riskgate.client.verify import Grant, Verifier

__all__ = ["Action", "Client", "Decision", "Grant", "Verifier", "guarded"]
