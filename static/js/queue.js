// The list: rows are read with j and k, and it follows what happens without losing the place.
"use strict";

(() => {
  const { keys, count } = window.riskgate;
  const list = document.getElementById("queue-list");
  const pane = document.getElementById("pane");
  const wide = window.matchMedia("(min-width: 1200px)");
  const rows = () => [...list.querySelectorAll(".row")];
  const selected = () => (wide.matches ? document.querySelector("#review")?.dataset.call : undefined);

  // Where a row stood that is gone: the next one is the one that took its place.
  let place = 0;

  function mark() {
    const call = selected();
    rows().forEach((row, i) => {
      const is = row.dataset.call === call;
      if (is) place = i;
      row.classList.toggle("row-selected", is);
      const link = row.querySelector(".row-link");
      if (is) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  }

  function remember() {
    const ids = rows().map((row) => row.dataset.call);
    try {
      sessionStorage.setItem("queue", JSON.stringify({ ids, url: list.dataset.url }));
    } catch {
      // Then a review on its own does not know its place.
    }
  }

  // ---------------------------------------------------------------- following

  let waiting = 0;
  let following = false;
  let again = false;
  let stale = false;

  // Nothing is taken from under somebody who chooses or types.
  const busy = () => list.querySelector("details[open], [data-search]:focus") !== null;

  async function follow() {
    waiting = 0;
    if (busy()) {
      stale = true;
      return;
    }
    if (following) {
      // What changed after this one was asked for is not in its answer.
      again = true;
      return;
    }
    stale = false;
    following = true;
    const url = new URL(list.dataset.url, location.href);
    const call = selected();
    if (call) url.searchParams.set("selected", call);
    try {
      await window.htmx.ajax("GET", url.pathname + url.search, { target: "#queue-list", swap: "innerHTML" });
    } finally {
      following = false;
    }
    // A menu that held a change back is gone with the old list, and never says that it closed.
    if (again || (stale && !busy())) {
      again = false;
      soon();
    }
  }

  function soon() {
    if (!waiting) waiting = setTimeout(follow, 150);
  }
  for (const name of ["riskgate:changed", "riskgate:refresh"]) document.body.addEventListener(name, soon);
  list.addEventListener("toggle", () => stale && soon(), true);
  list.addEventListener("focusout", () => stale && soon());

  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target === list) {
      count(Number(list.querySelector("[data-pending]").dataset.pending));
      remember();
    }
    mark();
  });

  // ---------------------------------------------------------------- selecting

  // Without room for the second pane a row leads to its review as any link does.
  list.addEventListener(
    "click",
    (event) => {
      if (!wide.matches && event.target.closest(".row-link")) event.stopPropagation();
    },
    true,
  );

  function select(i) {
    const row = rows()[i];
    if (!row) return false;
    place = i;
    const link = row.querySelector(".row-link");
    link.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    if (wide.matches) link.click();
    return true;
  }

  function step(by) {
    const all = rows();
    if (!all.length) return false;
    const focused = all.findIndex((row) => row.contains(document.activeElement));
    const now = wide.matches ? all.findIndex((row) => row.dataset.call === selected()) : focused;
    if (now < 0) return select(Math.min(by > 0 ? place : Math.max(place - 1, 0), all.length - 1));
    return select(Math.min(Math.max(now + by, 0), all.length - 1));
  }

  keys.set("/", () => {
    const search = list.querySelector("[data-search]");
    if (!search || !shownList()) return false;
    search.select();
    return true;
  });
  keys.set("j", () => shownList() && step(1));
  keys.set("k", () => shownList() && step(-1));
  const shownList = () => list.getClientRects().length > 0;
  keys.set("Enter", (event) => {
    const onRow = event.target.closest(".row-link");
    if (event.target !== document.body && event.target.id !== "main" && !onRow) return false;
    const call = onRow ? onRow.closest(".row").dataset.call : selected();
    if (!call || (onRow && wide.matches && call !== selected())) return false;
    location.href = `/review/${call}`;
    return true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !shownList() && !event.target.closest("textarea")) location.href = list.dataset.url;
  });

  remember();
  mark();
  // The pane was drawn for the first row; it counts as read only where it is in view.
  wide.addEventListener("change", () => {
    mark();
    document.body.dispatchEvent(new CustomEvent("riskgate:selected"));
  });
  pane.addEventListener("htmx:afterSwap", () => {
    if (pane.scrollTop) pane.scrollTop = 0;
  });
})();
