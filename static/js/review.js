// A review and its decision: that it was opened, the ring of the review time, keys, and what others decide meanwhile.
"use strict";

(() => {
  const { keys } = window.riskgate;
  const $ = (selector) => document.querySelector(selector);
  const alone = document.body.classList.contains("review-page");
  const shown = (element) => element !== null && element.getClientRects().length > 0;

  // ---------------------------------------------------------------- opened

  const opened = new Set();
  let opening = 0;

  function markOpened() {
    clearTimeout(opening);
    const review = $("#review");
    if (!shown(review) || review.dataset.status !== "pending" || opened.has(review.dataset.call)) return;
    // Rows that j and k only pass are not read.
    opening = setTimeout(async () => {
      if (!shown(review) || !review.isConnected || document.hidden) return;
      opened.add(review.dataset.call);
      const token = $("[name=csrfmiddlewaretoken]").value;
      // The queue's first row is in view by itself; at it is who chose it.
      const chosen = alone || new URLSearchParams(location.search).has("selected");
      const body = new URLSearchParams(chosen ? { present: "yes" } : {});
      await fetch(review.dataset.open, { method: "POST", headers: { "X-CSRFToken": token }, body });
      $(`#row-${CSS.escape(review.dataset.call)} .row-unread`)?.replaceChildren();
    }, 800);
  }
  document.addEventListener("visibilitychange", () => document.hidden || markOpened());

  // Once a minute, and only while the reader moves: the others see that somebody is at it, until it is forgotten.
  let moved = false;
  for (const name of ["pointermove", "keydown", "scroll", "input"]) {
    document.addEventListener(name, () => (moved = true), { capture: true, passive: true });
  }
  setInterval(() => {
    const review = $("#review");
    if (moved && opened.has(review?.dataset.call)) {
      opened.delete(review.dataset.call);
      markOpened();
    }
    moved = false;
  }, 60000);

  // ---------------------------------------------------------------- the least review time

  const readyAt = new WeakMap();

  function showWait(wait) {
    if (!readyAt.has(wait)) readyAt.set(wait, performance.now() + Number(wait.dataset.wait) * 1000);
    const form = wait.closest("form");
    const left = Math.max(0, (readyAt.get(wait) - performance.now()) / 1000);
    const whole = Number(wait.dataset.whole);
    const seconds = Math.ceil(left);
    wait.querySelector("[data-ring]").setAttribute("stroke-dasharray", `${((whole - left) / whole) * 100} 100`);
    const number = seconds ? String(seconds) : "✓";
    const title = seconds ? `Read for ${seconds} s more` : "Read long enough";
    const text = wait.querySelector("[data-ring-text]");
    if (text.textContent !== number) text.textContent = number;
    const words = wait.querySelector("[data-wait-title]");
    if (words.textContent !== title) words.textContent = title;
    const note = wait.querySelector("[data-wait-note]");
    if (note.textContent !== note.dataset.waitNote) note.textContent = note.dataset.waitNote;
    if (!seconds) {
      const said = wait.querySelector("[data-wait-said]");
      if (!said.textContent) said.textContent = "You have read long enough; you may answer now.";
    }
    showReady(form, seconds === 0);
  }

  function answered(form) {
    const questions = [...form.querySelectorAll(".question")];
    const done = questions.filter((question) => question.querySelector("input:checked") || question.querySelector("input[type=text], textarea, select")?.value.trim());
    return [done.length, questions.length];
  }

  function showReady(form, ready) {
    let complete = true;
    if ("counts" in form.dataset) {
      const [done, all] = answered(form);
      complete = done === all;
      const line = form.querySelector("[data-answered]");
      line.dataset.rest ??= line.textContent;
      const text = `${done} of ${all} answered. ${line.dataset.rest}`;
      if (line.textContent !== text) line.textContent = text;
    }
    for (const count of form.querySelectorAll("[data-words]")) {
      const words = count.closest(".question").querySelector("textarea").value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      complete &&= words >= Number(count.dataset.words);
      const text = words ? ` · ${words} word${words === 1 ? "" : "s"}` : "";
      if (count.textContent !== text) count.textContent = text;
    }
    const button = form.querySelector("[data-ready]");
    const off = !ready || !complete || "over" in form.dataset;
    if (button.disabled !== off) button.disabled = off;
  }

  const showWaits = () => document.querySelectorAll("[data-wait]").forEach(showWait);
  setInterval(showWaits, 200);
  document.addEventListener("input", showWaits);
  document.addEventListener("submit", (event) => {
    clearTimeout(opening);
    event.target.dataset.sent = "";
  });

  // ---------------------------------------------------------------- what others decide

  let refetching = false;
  let again = "";

  async function refetch(target) {
    if (refetching) {
      // What changed meanwhile is fetched next: two changes at once must not leave the first one standing.
      if (again !== "#review") again = target;
      return;
    }
    refetching = true;
    const review = $("#review");
    const before = review.dataset.status;
    try {
      await window.htmx.ajax("GET", review.dataset.url, { target, swap: "outerHTML", select: target });
    } finally {
      refetching = false;
    }
    const by = $("#review [data-by-other]");
    if (by && before === "pending") by.hidden = false;
    if (again) {
      const next = again;
      again = "";
      refetch(next);
    }
  }

  document.body.addEventListener("riskgate:call", (event) => {
    const change = event.detail;
    const quiz = $("#challenge");
    if (quiz?.dataset.call === change.call && change.status !== "pending") {
      const form = quiz.querySelector(".challenge-form");
      if ("sent" in form.dataset) return;
      form.dataset.over = "";
      form.querySelector("[data-decided]").hidden = false;
      for (const question of form.querySelectorAll("fieldset")) question.disabled = true;
      form.querySelector("[data-wait]").remove();
      $("#decision").hidden = true;
      form.querySelector("[data-ready]").disabled = true;
      showWaits();
    }
    const review = $("#review");
    if (review?.dataset.call !== change.call || Number(review.dataset.revision) > change.revision) return;
    if (review.dataset.status !== change.status) refetch("#review");
    // Nothing is taken from under somebody who writes.
    else if (!review.querySelector(".send-back[open], [data-sent], [data-waits]")) refetch("#decision");
  });
  document.body.addEventListener("riskgate:refresh", () => {
    if ($("#review") && !$("#review .send-back[open], #review [data-waits]")) refetch("#review");
  });

  // ---------------------------------------------------------------- keys

  keys.set("d", () => {
    const form = $("form[data-deny]");
    if (!shown(form) || "sent" in form.dataset) return false;
    form.requestSubmit();
    return true;
  });
  keys.set("b", () => {
    const box = $("#decision details.send-back");
    if (!shown(box)) return false;
    box.open = true;
    return true;
  });
  keys.set("a", () => {
    const start = $("#decision [data-start]");
    if (!shown(start)) return false;
    start.click();
    return true;
  });
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.matches("details.send-back[open]")) event.target.querySelector("textarea").focus();
    },
    true,
  );

  // ---------------------------------------------------------------- the way through the queue, on a page of its own

  function order() {
    try {
      return JSON.parse(sessionStorage.getItem("queue") || "null");
    } catch {
      return null;
    }
  }

  if (alone) {
    const queue = order();
    const here = queue ? queue.ids.indexOf($("#review").dataset.call) : -1;
    const go = (step) => {
      const next = queue?.ids[here + step];
      if (here < 0 || !next) return false;
      location.href = `/review/${next}`;
      return true;
    };
    const showPlace = () => {
      if (here >= 0) $("[data-place]").textContent = `${here + 1} of ${queue.ids.length}`;
      if (queue) $("[data-back]").href = queue.url;
    };
    showPlace();
    document.body.addEventListener("htmx:afterSettle", showPlace);
    keys.set("j", () => go(1));
    keys.set("k", () => go(-1));
  }
  if (alone || $("#challenge")) {
    document.addEventListener("keydown", (event) => {
      const writing = event.target.closest("textarea, input[type=text]");
      if (event.key !== "Escape" || event.defaultPrevented || writing || $("dialog[open]")) return;
      const back = $("[data-back]");
      if (back) location.href = back.href;
    });
  }

  // Who started or decided with a key goes on where that led to.
  function goOn() {
    ($("#decision .decision-verdict") ?? $("#decision"))?.focus({ preventScroll: true });
  }
  document.body.addEventListener("htmx:afterSettle", (event) => {
    showWaits();
    markOpened();
    if (event.detail.target?.id === "review" && event.detail.requestConfig?.verb === "post") goOn();
  });
  const problem = $(".review-answering .decision-problem");
  if (problem) problem.scrollIntoView({ block: "center" });
  else $("[data-challenge-heading]")?.focus({ preventScroll: true });
  // The challenge's page led here: with an answer, or a denial.
  if ($(".decision-verdict") && document.referrer === `${location.origin}${location.pathname}/challenge`) goOn();
  document.body.addEventListener("riskgate:selected", markOpened);
  showWaits();
  markOpened();
})();
