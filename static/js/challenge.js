// While somebody answers: the seat is held as long as they go on, and what they write is not lost.
"use strict";

(() => {
  const $ = (selector) => document.querySelector(selector);
  const form = $("form[data-draft]");
  const drafts = window.riskgate.drafts;

  // ---------------------------------------------------------------- what was written stays in this tab

  const done = $("[data-draft-done]");
  if (done) drafts.drop(done.dataset.draftDone);
  if (!form) return;

  const fields = () => [...form.querySelectorAll("textarea, input[type=text]")];

  function restore() {
    const draft = drafts.get(form.dataset.draft);
    for (const field of fields()) {
      const text = draft[field.getAttribute("aria-label")];
      if (text && !field.value) {
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  }

  function keep() {
    drafts.set(form.dataset.draft, Object.fromEntries(fields().map((field) => [field.getAttribute("aria-label"), field.value])));
  }
  restore();
  form.addEventListener("input", keep);

  // ---------------------------------------------------------------- the lease of the seat

  const lease = form.querySelector("[data-lease]");
  if (!lease) return;

  const ONCE_IN = 60000;
  const LATE = 60;
  const words = lease.querySelector("[data-lease-words]");
  const button = lease.querySelector("[data-keep]");
  const said = lease.querySelector("[data-lease-said]");
  let until = performance.now() + Number(lease.dataset.lease) * 1000;
  let renewed = performance.now();
  let acted = false;
  let asking = false;
  let lost = "";
  let warned = "";

  const left = () => Math.max(0, Math.ceil((until - performance.now()) / 1000));

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function warn(text) {
    if (warned === text) return;
    warned = text;
    put(said, text);
  }

  function show() {
    const seconds = left();
    const late = seconds <= LATE;
    lease.classList.toggle("lease-late", late);
    // The seat in the list above stays in view where the form scrolls.
    const seat = $(".seat-you");
    seat?.classList.toggle("seat-late", late);
    button.hidden = lost !== "";
    if (lost) {
      put(words, lost);
      warn(lost);
    } else if (seconds) {
      const minutes = Math.floor(seconds / 60);
      put(words, `Held for you, ${minutes ? `${minutes} min ` : ""}${seconds % 60} s`);
      if (seat) put(seat.querySelector(".seat-state"), words.textContent);
      put(button, "Keep my seat");
      warn(seconds <= LATE ? "Your seat is about to free. Go on writing, or press Keep my seat." : "");
    } else {
      put(words, "Your seat’s time ended, and nobody has taken it. What you wrote stays here.");
      put(button, "Take it again");
      if (seat) put(seat.querySelector(".seat-state"), "Its time ended: take it again below");
      warn("Your seat’s time ended. What you wrote stays here.");
    }
  }

  function lose(sentence) {
    lost = `${sentence} What you wrote stays here.`;
    form.dataset.over = "";
    form.querySelector("[data-ready]").disabled = true;
    show();
  }

  async function renew() {
    if (asking || lost || "sent" in form.dataset) return;
    asking = true;
    acted = false;
    renewed = performance.now();
    try {
      const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
      const response = await fetch(lease.dataset.renew, { method: "POST", headers: { Accept: "application/json", "X-CSRFToken": token } });
      if (!response.headers.get("Content-Type")?.includes("json")) return;
      const answer = await response.json();
      if (answer.problem) return lose(answer.problem);
      until = performance.now() + answer.seconds * 1000;
      show();
    } catch {
      // Nobody answered: what is typed next asks again.
      acted = true;
    } finally {
      asking = false;
    }
  }

  const act = () => {
    acted = true;
  };
  for (const name of ["input", "change", "keydown", "pointerdown"]) form.addEventListener(name, act);
  button.addEventListener("click", (event) => {
    event.preventDefault();
    renew();
  });
  setInterval(() => {
    show();
    if (acted && performance.now() - renewed >= ONCE_IN) renew();
  }, 1000);
  show();

  // ---------------------------------------------------------------- the seats, without touching what is being written

  async function look() {
    const response = await fetch($("#review").dataset.url, { headers: { Accept: "text/html" } });
    if (!response.ok || "sent" in form.dataset) return;
    const there = new DOMParser().parseFromString(await response.text(), "text/html");
    const seats = there.querySelector(".decision-seats");
    if (!seats || !$(".decision-seats")) return;
    $(".decision-seats").replaceWith(document.adoptNode(seats));
    const mine = $(`.seats [data-seat="${CSS.escape(form.dataset.seat)}"]`)?.dataset.state;
    show();
    if (!left() && (mine === "taken" || mine === "filled")) lose("Your seat’s time ended and somebody else took it.");
  }

  document.body.addEventListener("riskgate:call", (event) => {
    const change = event.detail;
    if (change.call === $("#review").dataset.call && change.status === "pending") look();
  });
})();
