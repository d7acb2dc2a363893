"""Floors for commands that delete files in bulk or write over disks."""

from riskgate.core.levels import Level
from riskgate.core.scoring.packs.guardrails.patterns import ANY, TARGET, command
from riskgate.core.scoring.rules import Part, Rule

_RECURSIVE = rb" -(?:[a-zA-Z]*[rR][a-zA-Z]*|-recursive)"
_WIDE = (
    rb"(?:/+|/+\*|/\.\*?|~[a-z]*(?:/\*?)?|\$\{?HOME\}?(?:/\*?)?|\.{1,2}(?:/\*?)?|\*|\./\*|\.\*"
    rb"|[A-Za-z]:[\\/]?\*?"
    rb"|/(?:home|etc|var|usr|boot|root|lib|lib64|mnt|bin|sbin|dev|proc|sys|opt|srv|data|Users|Library"
    rb"|System)/?\*?"
    rb"|/(?:home|etc|var|usr|boot|lib|mnt|Users|Library|System)/[^ /|]+/?\*?)"
)

FILES = (
    Rule(
        id="guardrails.delete.wide",
        family="guardrails.delete",
        part=Part.COMMAND,
        pattern=rb"^((?i:rm)%s%s%s %s)(?:$| )|^((?i:rm)%s %s%s%s)(?:$| )|^((?i:rm)%s --no-preserve-root)"
        % (ANY, _RECURSIVE, ANY, _WIDE, ANY, _WIDE, ANY, _RECURSIVE, ANY)
        + rb"|^((?i:rm)(?: -[a-zA-Z-]+)* (?:/?\*|\./\*|~/\*|/[a-z]+/\*))(?:$| )",
        heads=("rm",),
        floor=Level.CRITICAL,
        sentence="Deleting a whole tree like this cannot be undone and reaches everything below it.",
        phrase="deletes a whole tree",
        match=(
            "rm -rf /",
            "sudo rm -fr ~/*",
            "cd x && rm -r .",
            "rm -rf --no-preserve-root /",
            "rm / -rf",
            "rm -rf *",
            "rm -rf /home/bob",
            "/bin/rm --recursive --force /etc",
            "bash -c 'rm -rf /var'",
            "rm *",
        ),
        no_match=(
            "echo 'rm -rf /'",
            "rm build.log",
            "rm -rf /tmp/x",
            "git commit -m 'rm -rf /'",
            "rm -rf ./build",
        ),
    ),
    Rule(
        id="guardrails.delete.recursive",
        family="guardrails.delete",
        part=Part.COMMAND,
        pattern=rb"^((?i:rm)%s%s%s %s)|^((?i:rm)%s %s%s%s)|^((?i:rm)%s [^ |<>\x1a]*[*?][^ |<>]*)"
        % (ANY, _RECURSIVE, ANY, TARGET, ANY, TARGET, ANY, _RECURSIVE, ANY),
        # One named relative folder, nothing forced: an everyday command that asks about what is protected.
        unless=rb"^(?i:rm)(?: -[rRvidI]+| --(?:recursive|verbose|interactive|dir))+"
        rb" (?:\./)?[A-Za-z0-9_][A-Za-z0-9_.@-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.@-]*)*/?(?:$| \|| >)",
        heads=("rm",),
        floor=Level.HIGH,
        sentence="Deleting recursively or by wildcard cannot be undone.",
        phrase="deletes recursively",
        match=(
            "rm -rf node_modules",
            "rm -r /srv/app/cache",
            "rm *.log",
            "rm -rf /tmp/../etc/x",
            "find . | xargs rm -r",
            "a=$(rm -rf x)",
            "rm -r a b",
            "rm x -rf",
            "RM  -RF /x",
            "rm -rf /tmp/x y",
        ),
        no_match=(
            "rm build.log",
            "rm -r build",
            "rm -rf /tmp/x",
            "rm -rf $TMPDIR/a /var/tmp/b",
            "rm -f a.txt",
            "echo rm -rf x",
            "# rm -rf x",
            "please run rm -rf build",
            "rm --help",
        ),
    ),
    Rule(
        id="guardrails.delete.find",
        family="guardrails.delete",
        part=Part.COMMAND,
        pattern=command(
            rb"find ... (?:-delete|-exec(?:dir)? (?:sudo )?(?:/[^ |]*/)?(?:rm|shred|unlink))"
            rb"|find ... \| (?:rm|shred|unlink)"
        )
        + rb"(?:$| )",
        unless=rb"^find (?:\x1a|/tmp/?|/var/tmp/?|\$\{?TMPDIR\}?/?) -",
        heads=("find",),
        words=("-delete", "-exec", "-execdir", "rm", "shred", "unlink"),
        floor=Level.HIGH,
        sentence="Deleting whatever a search finds cannot be undone.",
        phrase="deletes all that it finds",
        match=(
            "find . -name '*.bak' -delete",
            "find / -type f -exec rm -f {} \\;",
            "sudo find /srv -delete",
            "find / -print0 | xargs -0 rm",
        ),
        no_match=(
            "find . -name delete",
            "find /tmp/x -mtime +7 -delete",
            "find the delete button",
            "find . -print",
            "find /tmp/x -type f | xargs rm",
            "find . -print | xargs grep rm",
        ),
    ),
    Rule(
        id="guardrails.delete.windows",
        family="guardrails.delete",
        part=Part.COMMAND,
        pattern=command(rb"(?:remove-item|ri|rmdir|rd|del|erase) ... (?:-recurse[a-z]*|/s)") + rb"(?:$| )",
        unless=rb"^\S+ (?:\$env:te?mp|%te?mp%)",
        heads=("remove-item", "ri", "rmdir", "rd", "del", "erase"),
        floor=Level.HIGH,
        sentence="Deleting a whole tree cannot be undone.",
        phrase="deletes a whole tree",
        match=("Remove-Item C:\\data -Recurse -Force", "rmdir /s /q build", "cmd /c del /s *.*"),
        no_match=("Remove-Item a.txt", "del a.txt", "rmdir empty"),
    ),
    Rule(
        id="guardrails.delete.git-clean",
        family="guardrails.delete",
        part=Part.COMMAND,
        pattern=command(rb"git ... clean ... (?:-[a-z]*f[a-z]*|--force)") + rb"(?:$| )",
        unless=rb" (?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)(?:$| )",
        heads=("git",),
        words=("clean",),
        floor=Level.HIGH,
        sentence="Cleaning deletes every file that was never committed, and cannot be undone.",
        phrase="deletes uncommitted files",
        match=("git clean -fdx", "git -C app clean --force"),
        no_match=("git clean -n", "git clean -fdn", "make clean", "git status"),
    ),
    Rule(
        id="guardrails.disk.format",
        family="guardrails.disk",
        part=Part.COMMAND,
        pattern=command(
            rb"(?:mkfs(?:\.[a-z0-9]+)?|mke2fs|mkswap|wipefs|blkdiscard) ... TARGET"
            rb"|cryptsetup ... (?:luksformat|erase|lukserase)"
            rb"|hdparm ... --security-erase|zpool (?:destroy|create) TARGET|zfs destroy ... TARGET|(?:lv"
            rb"|vg|pv)remove ... TARGET"
            rb"|diskutil (?:erase|secureerase|partition|zerodisk)[a-z]* ... TARGET|format [a-z]:"
            rb"|diskpart|clear-disk|format-volume"
        ),
        unless=rb" (?:--help|-h|-V|--version|--dry-run|--no-act)(?:$| )|^wipefs [^ -][^ ]*$",
        heads=(
            "mkfs",
            "mke2fs",
            "mkswap",
            "wipefs",
            "blkdiscard",
            "cryptsetup",
            "hdparm",
            "zpool",
            "zfs",
            "lvremove",
            "vgremove",
            "pvremove",
            "diskutil",
            "format",
            "diskpart",
            "clear-disk",
            "format-volume",
        ),
        floor=Level.CRITICAL,
        sentence="Formatting or wiping a disk cannot be undone and takes everything on it.",
        phrase="wipes a whole disk",
        match=(
            "mkfs.ext4 /dev/sdb1",
            "sudo mkfs -t xfs /dev/vdb",
            "wipefs -a /dev/sda",
            "zpool destroy tank",
            "format c:",
        ),
        no_match=(
            "mkfs --help",
            "echo mkfs.ext4 /dev/sda",
            "format the text",
            "what does mkfs do",
            "wipefs /dev/sda",
        ),
    ),
    Rule(
        id="guardrails.disk.write",
        family="guardrails.disk",
        part=Part.COMMAND,
        pattern=command(
            rb"dd ... of=/dev/[a-z]TARGET?|shred ... /dev/[a-z]TARGET?"
            rb"|[^ |<>]+ ...(?: <[^|>]*)? > /dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|md|mapper"
            rb"|dm-)[^ |<>]*"
            rb"|(?:tee|cp) ... /dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|md|mapper|dm-)[^ |<>]*"
        ),
        unless=rb"(?:of=|shred )/dev/(?:null|zero|stdout|stderr|tty|fd|shm)",
        words=("/dev/",),
        floor=Level.CRITICAL,
        sentence="Writing straight to a disk cannot be undone and destroys what is on it.",
        phrase="writes over a whole disk",
        match=(
            "dd if=/dev/zero of=/dev/sda bs=1M",
            "cat image > /dev/nvme0n1",
            "shred -n 3 /dev/sdb",
            "xz -d x | dd of=/dev/sdc",
        ),
        no_match=("dd if=/dev/sda of=backup.img", "dd if=x of=/dev/null", "ls > /dev/null", "cat /dev/sda1"),
    ),
    Rule(
        id="guardrails.disk.partition",
        family="guardrails.disk",
        part=Part.COMMAND,
        pattern=command(rb"(?:fdisk|sfdisk|gdisk|sgdisk|cfdisk|parted) ... /dev/[a-z][^ |<>]*"),
        unless=rb" (?:-[a-zA-Z]*[lps]|--list|--print|--dump|-d|print|unit|--help)(?:$| )",
        heads=("fdisk", "sfdisk", "gdisk", "sgdisk", "cfdisk", "parted"),
        floor=Level.CRITICAL,
        sentence="Changing partitions can take everything on a disk, and cannot be undone.",
        phrase="changes disk partitions",
        match=("fdisk /dev/sda", "parted /dev/sdb mklabel gpt", "sgdisk --zap-all /dev/sda"),
        no_match=("fdisk -l /dev/sda", "parted /dev/sda print", "fdisk --help", "sfdisk -d /dev/sda"),
    ),
    Rule(
        id="guardrails.disk.shred",
        family="guardrails.disk",
        part=Part.COMMAND,
        pattern=command(rb"(?:shred|srm) ... TARGET"),
        unless=rb" (?:--help|--version)(?:$| )",
        heads=("shred", "srm"),
        floor=Level.HIGH,
        sentence="Shredding a file cannot be undone by anybody.",
        phrase="shreds files",
        match=("shred -u key.pem", "find . -print | xargs shred"),
        no_match=("shred --help", "a shred of evidence", "shred /tmp/x"),
    ),
)
