// What every page has: the theme, menus that close, the sheet of keys, and keys that lead to pages.
"use strict";

(() => {
  const stored = {
    get(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        if (value === null) localStorage.removeItem(name);
        else localStorage.setItem(name, value);
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
  };

  // ---------------------------------------------------------------- theme

  const root = document.documentElement;
  const themeButton = document.querySelector("[data-theme-button]");
  const THEMES = { system: "light", light: "dark", dark: "system" };
  const WORDS = { system: "as the system", light: "light", dark: "dark" };

  const theme = () => root.dataset.theme || "system";

  function showTheme() {
    for (const icon of themeButton.querySelectorAll("[data-theme-icon]")) icon.hidden = icon.dataset.themeIcon !== theme();
    const label = `Theme: ${WORDS[theme()]}. Change to ${WORDS[THEMES[theme()]]}`;
    themeButton.setAttribute("aria-label", label);
    themeButton.title = label;
  }

  if (themeButton) {
    themeButton.hidden = false;
    themeButton.addEventListener("click", () => {
      const next = THEMES[theme()];
      if (next === "system") delete root.dataset.theme;
      else root.dataset.theme = next;
      stored.set("theme", next === "system" ? null : next);
      showTheme();
    });
    showTheme();
  }

  // ---------------------------------------------------------------- menus

  const openMenus = () => document.querySelectorAll("details.menu[open], details.send-back[open]");

  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });

  // ---------------------------------------------------------------- keys

  const sheet = document.getElementById("sheet");
  const keysOn = document.querySelectorAll("[data-keys-on]");

  function useKeys(on) {
    document.body.classList.toggle("no-keys", !on);
    for (const box of keysOn) box.checked = on;
  }
  useKeys(stored.get("keys") !== "off");
  for (const box of keysOn) {
    box.closest("[data-needs-keys]")?.removeAttribute("hidden");
    box.addEventListener("change", () => {
      stored.set("keys", box.checked ? null : "off");
      useKeys(box.checked);
    });
  }

  for (const button of document.querySelectorAll("[data-sheet-open]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const menu of openMenus()) menu.open = false;
      sheet.showModal();
    });
  }

  const writes = (element) => element.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]") !== null;

  let leader = 0;
  // Pages add theirs: a key, and what it does. What answers true has used the key.
  const keys = new Map([["?", () => sheet && (sheet.showModal(), true)]]);
  // What somebody is writing, for as long as this tab lives: a page that fails, or a sign-in between, loses nothing.
  const drafts = {
    get(name) {
      try {
        return JSON.parse(sessionStorage.getItem(`draft ${name}`) || "{}");
      } catch {
        return {};
      }
    },
    set(name, fields) {
      try {
        sessionStorage.setItem(`draft ${name}`, JSON.stringify(fields));
      } catch {
        // Then the page alone holds it.
      }
    },
    drop(name) {
      try {
        sessionStorage.removeItem(`draft ${name}`);
      } catch {
        // Nothing was kept.
      }
    },
  };
  // Who signs out leaves nothing behind for the next person at this screen.
  document.addEventListener("submit", (event) => {
    if (!event.target.action.includes("/logout/")) return;
    try {
      sessionStorage.clear();
    } catch {
      // Nothing was kept.
    }
  });

  window.riskgate = { keys, stored, drafts };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      for (const menu of openMenus()) {
        menu.open = false;
        menu.querySelector("summary").focus();
        event.preventDefault();
        return;
      }
      if (writes(event.target)) {
        event.target.blur();
        return;
      }
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && !"jk".includes(event.key)) return;
    if (writes(event.target) || sheet?.open || document.body.classList.contains("no-keys")) return;
    if (event.timeStamp - leader < 1500 && leader) {
      leader = 0;
      const place = document.querySelector(`.rail a[data-key="${CSS.escape(event.key)}"]`);
      if (place) {
        event.preventDefault();
        place.click();
        return;
      }
    }
    if (event.key === "g") {
      leader = event.timeStamp;
      return;
    }
    if (keys.get(event.key)?.(event)) event.preventDefault();
  });
})();
