"""What people wrote about calls, and what the rules make of it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskgate.core.challenges.prose import Facts, judge

from .taught import EXAMPLES, FACTS, FRESH


def judged_right(example):
    return (judge(example["text"], FACTS[example["call"]]) == "") == example["honest"]


def wrongly_judged(examples):
    return [example["text"] for example in examples if not judged_right(example)]


def test_there_are_thirty_honest_and_thirty_lazy_examples():
    assert sum(example["honest"] for example in EXAMPLES) == 30
    assert sum(not example["honest"] for example in EXAMPLES) == 30
    assert len({example["text"] for example in EXAMPLES}) == 60


def test_of_sixty_examples_at_most_three_are_misjudged():
    assert len(wrongly_judged(EXAMPLES)) <= 3, wrongly_judged(EXAMPLES)


def test_examples_written_after_the_rules_are_judged_as_well():
    assert len(wrongly_judged(FRESH)) <= len(FRESH) // 20, wrongly_judged(FRESH)


@pytest.mark.parametrize(
    ("call", "text", "why"),
    [
        ("drop", "It drops customer_payments.", "Use at least 15 words; these are 3."),
        ("drop", "", "Use at least 15 words; these are 0."),
        (
            "namespace",
            "Namespace payments is unused since the move to ledger-v2, so all of it can be deleted by us now.",
            "These are the agent's own words: say it in yours.",
        ),
        (
            "user",
            "It erases somebody in production together with all that belongs to them, and nobody can undo it.",
            "Name what it acts on.",
        ),
        (
            "user",
            "It is about usr_48213 in production, and I have had a look at it together with my colleague.",
            "Name what it does.",
        ),
        (
            "user",
            "This will not delete usr_48213 at all, it only has a look at what is stored in production.",
            "Say what would happen, not what would not.",
        ),
        (
            "user",
            "usr_48213 deletion production erase purge wipe hard user account irreversible permanent gone bad ok no",
            "Write it in whole sentences, not in key words.",
        ),
        (
            "user",
            "It deletes usr_48213, it deletes usr_48213, it deletes usr_48213, it deletes usr_48213, it deletes it.",
            "Say it without repeating yourself.",
        ),
    ],
)
def test_bob_is_told_what_is_missing_and_not_what_is_right(call, text, why):
    assert judge(text, FACTS[call]) == why


@pytest.mark.parametrize(
    "text",
    [
        "It deletes user 48213 in production for good; the invoices of the company are not deleted with it.",
        "It not only deletes the account of user 48213 but also what they wrote, with no backup to go back to.",
        "There is no way back from this: once usr_48213 is deleted in production, all of their data is lost.",
        "USR_48213 GETS DELETED IN PRODUCTION, WITH ALL OF THEIR ORDERS, AND THERE IS NOTHING THAT BRINGS IT BACK.",
    ],
)
def test_a_not_about_something_else_is_no_denial(text):
    assert judge(text, FACTS["user"]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Nothing about usr_48213 is deleted here, the call has a look at the account and then it stops again.",
        "No data of the user usr_48213 will be deleted when we let this run, so it is all quite all right.",
        "It doesn’t delete usr_48213, whatever the name says, and so there is no reason for us to worry about it.",
        "It deletes nothing of usr_48213, as far as I have seen, and so there is no reason to say no to it.",
        "It goes on without deleting usr_48213 and that is why I think that we can say yes to it today.",
        "It pretends to delete usr_48213 and then leaves all as it was before, which is fine with me and others.",
        "It is not true that usr_48213 would be deleted by this call, because the agent has told us so before.",
    ],
)
def test_a_denial_is_no_description(text):
    assert judge(text, FACTS["user"]) == "Say what would happen, not what would not."


@pytest.mark.parametrize("other", ["usr_4821", "usr_482131", "usr_84213", "48 213", "user 4821"])
def test_a_neighbour_of_the_target_is_not_the_target(other):
    text = (
        f"It deletes {other} in production for good, with all that they have ordered, and nobody can undo it."
    )
    assert judge(text, FACTS["user"]) == "Name what it acts on."


def test_the_agents_words_are_known_in_disguise():
    text = "Payments is gone, „the, move—to ‘ledger-v2’: CLEANUP only (fully reversible) please “approve” quickly”"
    assert judge(text + " and that is all of it.", FACTS["namespace"]).startswith("These are the agent's")


def test_four_words_of_the_agent_in_a_row_are_allowed():
    text = "The namespace payments is deleted by this; they say that it was unused since the move, and I believe it."
    assert judge(text, FACTS["namespace"]) == ""


def test_names_of_effects_that_nobody_knows_any_more_name_nothing():
    facts = Facts(("no such effect",), (), ("payments",), "")
    text = "It wipes the payments namespace on prod-eu-1 with everything that runs in it, and there is no way back."
    assert judge(text, facts) == "Name what it does."


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(
            ["not", "delete", "deletes", "usr_48213", "the", "no", "is", ".", "nothing", "\u200b"]
        ),
        max_size=60,
    ).map(" ".join),
    st.sampled_from(sorted(FACTS)),
)
def test_any_text_at_all_gets_an_answer(text, call):
    assert isinstance(judge(text, FACTS[call]), str)


@pytest.mark.parametrize(
    "part", ["a", "delete ", "not ", "usr_48213 ", "the of ", ".", "'", "\u0301", "no is "]
)
def test_a_hundred_thousand_characters_take_no_time(part):
    text = part * (100_000 // len(part))
    started = time.process_time()
    judge(text, FACTS["user"])
    judge(text[:4000], FACTS["user"])
    assert time.process_time() - started < 0.5
