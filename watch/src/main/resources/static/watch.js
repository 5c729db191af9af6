// Says so when the instance that served this page no longer answers: old figures must not look like news.
(() => {
  const say = (cutOff) => { document.getElementById("cut-off").hidden = !cutOff; };
  for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(failed, () => say(true));
  }
  document.addEventListener("htmx:afterSwap", () => say(false));
})();
