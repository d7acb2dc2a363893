"""Floors for commands that delete whole cloud resources, and the backups that would bring them back."""

from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import command
from riskgate.core.scoring.rules import Part, Rule

_REHEARSAL = rb" (?:--dry-?run(?:=(?:client|server|true))?|--help|-h)(?:$| )"

CLOUD = (
    Rule(
        id="guardrails.k8s.delete-namespace",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(rb"(?:kubectl|oc|k) ... delete(?: -[^ ]+)* (?:ns|namespaces?|project)(?:/[^ |]+)?")
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("kubectl", "oc", "k"),
        words=("delete",),
        floor=Level.CRITICAL,
        sentence="Deleting a namespace cannot be undone and reaches everything in it.",
        phrase="deletes a whole namespace",
        match=(
            "kubectl delete ns payments --force",
            "kubectl --context prod delete namespace/x",
            "oc delete project x",
        ),
        no_match=(
            "kubectl get ns",
            "kubectl delete pod ns",
            "kubectl delete pod x -n ns1",
            "kubectl delete ns x --dry-run=client",
        ),
    ),
    Rule(
        id="guardrails.k8s.delete-all",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:kubectl|oc|k) ... delete ... (?:--all(?:-namespaces)?|-A|all)|(?:kind|k3d|minikube"
            rb"|eksctl|kops|rosa) delete(?: cluster)? ..."
        )
        + rb"(?:$| )",
        unless=_REHEARSAL + rb"|^(?:kind|k3d|minikube) ",
        heads=("kubectl", "oc", "k", "kind", "k3d", "minikube", "eksctl", "kops", "rosa"),
        words=("delete",),
        floor=Level.CRITICAL,
        sentence="Deleting everything of a kind, or a whole cluster, cannot be undone.",
        phrase="deletes everything in a cluster",
        match=("kubectl delete pods --all", "kubectl delete all -A", "eksctl delete cluster --name prod"),
        no_match=("kubectl delete pod x", "kind delete cluster", "kubectl get pods --all-namespaces"),
    ),
    Rule(
        id="guardrails.k8s.delete-storage",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:kubectl|oc|k) ... delete(?: -[^ ]+)* (?:pvc?|persistentvolume(?:claim)?s?|crds?"
            rb"|customresourcedefinitions?|nodes?|secrets?)(?:/[^ |]+)?"
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("kubectl", "oc", "k"),
        words=("delete",),
        floor=Level.HIGH,
        sentence="Deleting storage, secrets, nodes or definitions of a cluster cannot be undone.",
        phrase="deletes cluster storage or secrets",
        match=("kubectl delete pvc data-0", "kubectl -n x delete secret db"),
        no_match=("kubectl delete pod x", "kubectl get pvc", "kubectl describe secret x"),
    ),
    Rule(
        id="guardrails.cloud.destroy-stack",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:terraform|tofu|terragrunt|pulumi|cdk|cdktf|sst|vagrant) ... destroy|(?:terraform"
            rb"|tofu) ... apply ... -destroy"
            rb"|aws cloudformation delete-stack ...|az deployment ... delete ...|az stack ... delete ..."
        )
        + rb"(?:$| )",
        unless=_REHEARSAL + rb"|^vagrant |^(?:terraform|tofu) plan ",
        heads=("terraform", "tofu", "terragrunt", "pulumi", "cdk", "cdktf", "sst", "vagrant", "aws", "az"),
        words=("destroy", "delete-stack", "deployment", "stack"),
        floor=Level.CRITICAL,
        sentence="Destroying a stack cannot be undone and takes everything that was built with it.",
        phrase="destroys a whole stack",
        match=(
            "terraform destroy -auto-approve",
            "pulumi destroy --yes",
            "aws cloudformation delete-stack --stack-name x",
            "terraform apply -destroy",
        ),
        no_match=(
            "terraform plan -destroy",
            "terraform apply",
            "terraform destroy --help",
            "destroy the evidence",
        ),
    ),
    Rule(
        id="guardrails.cloud.delete-storage",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"aws ... s3 (?:rb ... s3://[^ |]*|rm ... --recursive|sync ... --delete)"
            rb"|aws ... s3api delete-(?:bucket|objects) ..."
            rb"|gsutil ... (?:rb ...|rm ... -[a-z]*r[a-z]* ...)|gcloud ... storage (?:buckets delete"
            rb"|rm ... (?:-[a-z]*r|--recursive)) ..."
            rb"|az storage (?:account|container|share|blob delete-batch) ?(?:delete)? ..."
            rb"|rclone (?:purge|delete) ..."
            rb"|mc (?:rb|rm) ... (?:--force|--recursive)"
        )
        + rb"(?:$| )",
        unless=_REHEARSAL
        + rb"|^az storage (?:account|container|share) (?:list|show|create|update|exists|keys|generate"
        rb"|set|metadata)",
        heads=("aws", "gsutil", "gcloud", "az", "rclone", "mc"),
        words=("s3", "s3api", "gsutil", "storage", "rclone", "mc"),
        floor=Level.CRITICAL,
        sentence="Deleting a bucket, or all that is in it, cannot be undone.",
        phrase="deletes a whole bucket",
        match=(
            "aws s3 rb s3://backups --force",
            "aws s3 rm s3://logs/ --recursive",
            "gsutil -m rm -r gs://x",
            "gcloud storage buckets delete gs://x",
            "az storage account delete -n x",
        ),
        no_match=(
            "aws s3 ls",
            "aws s3 rm s3://b/one.txt",
            "gsutil cp a gs://b",
            "aws s3 rm s3://x --recursive --dryrun",
            "az storage account list",
        ),
    ),
    Rule(
        id="guardrails.cloud.delete-account",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"gcloud ... projects delete ...|az group delete ...|az account subscription (?:cancel"
            rb"|delete) ..."
            rb"|aws ... organizations (?:close-account|leave-organization|delete-[a-z-]+) ..."
            rb"|heroku apps:destroy ..."
            rb"|(?:gcloud|doctl|linode-cli) ... clusters? delete ...|(?:doctl|linode-cli) ... (?:droplet"
            rb"|database|kubernetes cluster)s? delete ..."
            rb"|az (?:aks|acr|webapp) delete ...|aws ... (?:eks|ecs|redshift|emr|kafka|memorydb"
            rb"|dax) delete-cluster ..."
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("gcloud", "az", "aws", "heroku", "doctl", "linode-cli"),
        words=(
            "projects",
            "group",
            "subscription",
            "organizations",
            "apps:destroy",
            "cluster",
            "clusters",
            "droplet",
            "droplets",
            "database",
            "databases",
            "aks",
            "acr",
            "webapp",
            "delete-cluster",
        ),
        floor=Level.CRITICAL,
        sentence="Deleting a cloud account, project or cluster cannot be undone and takes everything in it.",
        phrase="deletes a whole cloud account",
        match=(
            "gcloud projects delete my-proj",
            "az group delete -n rg --yes",
            "gcloud container clusters delete prod",
            "aws eks delete-cluster --name x",
            "az aks delete -n x",
        ),
        no_match=(
            "gcloud projects list",
            "az group list",
            "delete the group",
            "aws eks describe-cluster --name x",
        ),
    ),
    Rule(
        id="guardrails.cloud.delete-database",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"aws ... (?:rds|docdb|neptune) delete-db-[a-z-]+ ...|aws ... (?:rds"
            rb"|docdb) delete-global-cluster ..."
            rb"|aws ... dynamodb delete-(?:table|backup) ...|aws ... backup (?:delete|stop)-[a-z-]+ ..."
            rb"|aws ... ec2 delete-(?:snapshot|volume|vpc) ...|aws ... (?:efs delete-file-system"
            rb"|kms schedule-key-deletion) ..."
            rb"|gcloud ... (?:sql (?:instances|databases|backups)|spanner (?:instances|databases)"
            rb"|bigtable instances|compute (?:disks|snapshots)) delete ..."
            rb"|bq ... rm ... -[a-z]*r[a-z]* ...|az (?:sql|postgres|mysql|cosmosdb|redis|backup|disk"
            rb"|snapshot|keyvault) ?... (?:delete|purge|delete-for-all) ..."
            rb"|dropdb ... TARGET|mysqladmin ... drop ..."
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("aws", "gcloud", "bq", "az", "dropdb", "mysqladmin"),
        words=(
            "rds",
            "docdb",
            "neptune",
            "dynamodb",
            "backup",
            "ec2",
            "efs",
            "kms",
            "sql",
            "spanner",
            "bigtable",
            "compute",
            "bq",
            "postgres",
            "mysql",
            "cosmosdb",
            "redis",
            "disk",
            "snapshot",
            "keyvault",
            "dropdb",
            "mysqladmin",
        ),
        floor=Level.CRITICAL,
        sentence="Deleting a database, a disk or its backups cannot be undone.",
        phrase="deletes a whole database",
        match=(
            "aws rds delete-db-instance --db-instance-identifier prod",
            "aws backup delete-recovery-point --x y",
            "gcloud sql instances delete db1",
            "az sql db delete -n x",
            "dropdb shop",
            "bq rm -r -f ds",
        ),
        no_match=(
            "aws rds describe-db-instances",
            "gcloud sql instances list",
            "az sql db show -n x",
            "dropdb --help",
        ),
    ),
    Rule(
        id="guardrails.cloud.delete-machine",
        family="guardrails.cloud",
        part=Part.COMMAND,
        pattern=command(
            rb"aws ... ec2 terminate-instances ...|gcloud ... compute instances delete ...|az vm delete ..."
            rb"|(?:docker|podman) (?:volume (?:rm|prune)|system prune ... (?:--volumes|-[a-z]*a[a-z]*)) ..."
            rb"|docker(?: |-)compose ... down ... (?:-v|--volumes|--rmi all)|virsh (?:undefine"
            rb"|vol-delete|destroy) ..."
        )
        + rb"(?:$| )",
        unless=_REHEARSAL,
        heads=("aws", "gcloud", "az", "docker", "podman", "docker-compose", "virsh"),
        words=("terminate-instances", "instances", "vm", "docker", "podman", "docker-compose", "virsh"),
        floor=Level.HIGH,
        sentence="Deleting a machine or a volume cannot be undone.",
        phrase="deletes machines or volumes",
        match=(
            "aws ec2 terminate-instances --instance-ids i-1",
            "docker system prune -a --volumes",
            "docker compose down -v",
        ),
        no_match=(
            "aws ec2 stop-instances --instance-ids i-1",
            "docker ps",
            "docker system df",
            "docker compose down",
        ),
    ),
)
