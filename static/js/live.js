// Keeps an open page true: what changes in the team comes as events, and times are told anew as they pass.
"use strict";

(() => {
  const { stored } = window.riskgate;
  const body = document.body;

  // ---------------------------------------------------------------- times, in the same words as web/words.py

  function coarse(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const minutes = Math.floor(whole / 60);
    const hours = Math.floor(whole / 3600);
    const days = Math.floor(whole / 86400);
    if (days) return hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
    if (hours) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
    return minutes ? `${minutes} min` : `${whole} s`;
  }

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function tick() {
    const now = Date.now() / 1000;
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const passed = now - Date.parse(time.dateTime) / 1000;
      put(time, passed < 5 ? "just now" : `${coarse(passed)} ago`);
    }
    for (const time of document.querySelectorAll("time[data-since]")) put(time, coarse(now - Date.parse(time.dateTime) / 1000));
    for (const time of document.querySelectorAll("time[data-left]")) {
      const left = Date.parse(time.dateTime) / 1000 - now;
      put(time, left <= 0 ? "no time left" : `${coarse(left)} left`);
    }
    for (const note of document.querySelectorAll("[data-until]")) note.hidden = Date.parse(note.dataset.until) / 1000 <= now;
    for (const bar of document.querySelectorAll("[data-rest]")) {
      const begin = Date.parse(bar.dataset.begin) / 1000;
      const end = Date.parse(bar.dataset.end) / 1000;
      const share = Math.min(Math.max((end - now) / (end - begin), 0), 1);
      bar.setAttribute("width", `${(share * 100).toFixed(1)}%`);
      bar.closest("li")?.classList.toggle("time-late", share <= 0.2);
    }
  }
  setInterval(tick, 1000);
  document.addEventListener("visibilitychange", () => document.hidden || tick());

  // ---------------------------------------------------------------- the count in the rail, the tab and its icon

  const bareTitle = document.title.replace(/^\(\d+\) /, "");
  let pending = Number(body.dataset.pending || 0);

  function count(number) {
    pending = number;
    const badge = number > 99 ? "99+" : number ? String(number) : "";
    for (const element of document.querySelectorAll("[data-count]")) put(element, badge);
    document.title = number ? `(${number}) ${bareTitle}` : bareTitle;
    document.getElementById("favicon").href = body.dataset.favicon + (badge ? `?n=${encodeURIComponent(badge)}` : "");
  }
  window.riskgate.count = count;

  let counting = 0;
  let asking = false;
  let again = false;

  async function recount() {
    counting = 0;
    if (asking) {
      // Two answers at once could come in the wrong order.
      again = true;
      return;
    }
    asking = true;
    try {
      const response = await fetch(body.dataset.pendingUrl, { headers: { Accept: "application/json" } });
      if (response.ok && !response.redirected) count((await response.json()).pending);
    } finally {
      asking = false;
    }
    if (again) {
      again = false;
      recount();
    }
  }
  // The queue knows the count from its own list.
  if (!document.getElementById("queue-list")) {
    for (const name of ["riskgate:changed", "riskgate:refresh"]) {
      body.addEventListener(name, () => {
        counting ||= setTimeout(recount, 300);
      });
    }
  }

  // ---------------------------------------------------------------- notifications, when asked for

  const bell = document.querySelector("[data-bell]");
  const wants = () => stored.get("notify") === "on" && Notification.permission === "granted";

  function showBell() {
    bell.setAttribute("aria-pressed", String(wants()));
    bell.querySelector("[data-bell-on]").hidden = !wants();
    bell.querySelector("[data-bell-off]").hidden = wants();
    bell.title = wants() ? "New actions are told in a notification. Stop that" : "Tell me of new actions in a notification";
  }

  if (bell && "Notification" in window) {
    bell.hidden = false;
    bell.addEventListener("click", async () => {
      if (wants()) stored.set("notify", null);
      else if ((await Notification.requestPermission()) === "granted") stored.set("notify", "on");
      showBell();
    });
    showBell();
  }

  const told = new Set();

  function notify(change) {
    if (change.status !== "pending" || change.revision > 1 || told.has(change.call)) return;
    told.add(change.call);
    if (!document.hidden || !("Notification" in window) || !wants()) return;
    const note = new Notification("An action waits for a decision", { body: `${pending + 1} pending`, tag: "riskgate-pending" });
    note.addEventListener("click", () => {
      window.focus();
      location.href = `/review/${change.call}`;
    });
  }

  // ---------------------------------------------------------------- the stream

  const say = (name, detail) => body.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));

  // A stream begins with a refresh. A page that was only just made is fetched again only where the count has changed.
  const FRESH = 2000;

  async function check() {
    const response = await fetch(body.dataset.pendingUrl, { headers: { Accept: "application/json" } });
    if (!response.ok || response.redirected) return;
    if ((await response.json()).pending !== Number(body.dataset.pending)) say("riskgate:refresh");
  }

  let source = null;
  let lost = false;

  function listen() {
    source = new EventSource(body.dataset.live);
    source.addEventListener("open", () => {
      // What happened while nobody listened is not told again.
      if (lost) say("riskgate:refresh");
      lost = false;
    });
    source.addEventListener("error", () => {
      lost = true;
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 10000);
    });
    source.addEventListener("queue", (event) => {
      const change = JSON.parse(event.data);
      notify(change);
      say("riskgate:call", change);
      say("riskgate:changed", change);
    });
    source.addEventListener("refresh", () => (performance.now() < FRESH ? check() : say("riskgate:refresh")));
  }
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    listen();
    say("riskgate:refresh");
  });
  if (body.dataset.live) listen();
})();
