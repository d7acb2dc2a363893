/* Passkeys need JavaScript: what offers them is shown only with it, and says when one did not work. */
(function () {
  "use strict";

  document.addEventListener("DOMContentLoaded", function () {
    if (!window.PublicKeyCredential) return;
    document.querySelectorAll("[data-needs-script]").forEach(function (part) { part.hidden = false; });
  });

  document.addEventListener("allauth.error", function (event) {
    var message = document.querySelector("[data-passkey-error]");
    if (!message) return;
    event.preventDefault();
    message.hidden = false;
  });
})();
