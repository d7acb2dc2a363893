"""The small words of English that tell a sentence from a list, and a statement from its opposite."""

STOPS = frozenset(".,;:!?()\n—–")
"""The signs that end a clause."""

FUNCTION_WORDS = frozenset(
    """
    a about above after again all along also although always an and another any anybody anyone anymore anything
    are as asks at away back be because been before being below between both but by can cannot cant could did do
    does dont down during each either else every everybody everyone everything far first for forever from further
    had has have having he her here him his how however i if in inside instead into is isnt it its itself just
    later like made many may maybe me mean means might more most much must my neither never no nobody none nor not
    nothing now of off on once one only onto or other others otherwise our out outside over own perhaps please
    since so some somebody soon still such than that the their theirs them then there these they this those
    though through till to together too toward under unless until up upon us very was we were what whatever
    when where which while who whole whom whose why will with within without wont would yes yet you your
    """.split()
)

ARTICLES = frozenset("the an our my their every".split())

NEVER_AFTER = frozenset("and or of to is are the an for if".split())
"""No sentence has these after an article; small words that are strewn about do."""

BOUNDARIES = frozenset(
    """
    and but so because then that which who what it he she they this these once when after before if since until
    till unless where while therefore thus
    """.split()
)
"""Words at which another clause starts: a "not" before them says nothing of what comes after."""

NEGATORS = frozenset(
    """
    not never cannot neither nor hardly doesnt dont didnt wont isnt arent wasnt werent cant couldnt wouldnt shouldnt
    hasnt havent hadnt aint mustnt avoid avoids avoiding prevent prevents preventing instead refuse refuses pretend
    pretends simulate simulates rather
    """.split()
)

NO_ONES = frozenset("nothing none nobody".split())

NOT_NEGATED = frozenset("only just merely simply".split())
"""After "not", what is said holds all the same."""

NOT_DENIED = frozenset("matter way longer undo recovery more backup backups doubt one confirmation".split())
"""After "no", the word is about something else than the effect."""

PASSIVE = frozenset("be been being is are was were get gets got getting".split())

DENIALS = frozenset({("does", "nothing"), ("do", "nothing"), ("not", "true"), ("nothing", "changes")})
"""Two words in a row that deny any effect."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm")

KEYBOARD = frozenset(
    row[i:j]
    for keys in _ROWS
    for row in (keys, keys[::-1])
    for i in range(len(row))
    for j in range(i + 4, len(row) + 1)
)
"""Keys next to each other, as somebody types who has nothing to say."""
