"""Floors for what is taken back or changed where many others get their work from: packages, repositories, stacks."""

from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import command
from riskgate.core.scoring.rules import Part, Rule

_REHEARSAL = rb" (?:--dry-?run|--help|-h)(?:$| )"

DELIVERY = (
    Rule(
        id="guardrails.delivery.unpublish",
        family="guardrails.delivery",
        part=Part.COMMAND,
        pattern=command(rb"(?:npm|pnpm) ... unpublish|gem ... yank TARGET|cargo ... yank") + rb"(?:$| )",
        unless=_REHEARSAL + rb"|^cargo [^|]*--undo",
        heads=("npm", "pnpm", "gem", "cargo"),
        words=("unpublish", "yank"),
        floor=Level.HIGH,
        sentence="Taking a published package back breaks everybody who builds with it.",
        phrase="takes a package back",
        match=("npm unpublish x -f", "cargo yank --version 1.0.0", "gem yank x -v 1"),
        no_match=(
            "npm publish",
            "npm install unpublish-helper",
            "cargo yank --undo --version 1.0.0",
            "npm unpublish --dry-run",
        ),
    ),
    Rule(
        id="guardrails.delivery.delete-repository",
        family="guardrails.delivery",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:gh|glab) (?:repo|project) delete|gh ... api ... (?:-x"
            rb"|--method)[ =]?delete ... /?repos/[^ /]+/[^ /|]+"
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("gh", "glab"),
        words=("delete",),
        floor=Level.CRITICAL,
        sentence="Deleting a repository takes its code, its history, its issues and its releases, for good.",
        phrase="deletes a whole repository",
        match=("gh repo delete x --yes", "gh api -X DELETE repos/a/b"),
        no_match=("gh repo list", "gh api repos/a/b", "gh label delete x"),
    ),
    Rule(
        id="guardrails.delivery.apply-unseen",
        family="guardrails.delivery",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:terraform|tofu|terragrunt) ... apply ... --?auto-approve(?:=true)?|pulumi up ... (?:-y|--yes)"
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("terraform", "tofu", "terragrunt", "pulumi"),
        words=("apply", "up"),
        floor=Level.HIGH,
        sentence="It changes the whole stack, and nobody has seen the plan.",
        phrase="applies an unseen plan",
        match=("terraform apply -auto-approve", "cd infra && tofu apply -auto-approve", "pulumi up --yes"),
        no_match=("terraform apply", "terraform plan", "terraform apply --help", "pulumi preview"),
    ),
    Rule(
        id="guardrails.delivery.uninstall-release",
        family="guardrails.delivery",
        part=Part.COMMAND,
        pattern=command(rb"helm ... (?:uninstall|delete) ... TARGET") + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("helm",),
        words=("uninstall", "delete"),
        floor=Level.HIGH,
        sentence="It deletes a release with everything that it runs.",
        phrase="uninstalls a whole release",
        match=("helm uninstall prod", "helm -n x uninstall api"),
        no_match=("helm list", "helm upgrade --install x ./c", "helm uninstall prod --dry-run"),
    ),
)
