import { beforeAll } from "vitest";

/** Files of a worker share one document: what one left behind must not be found by the next, whichever order they run in. */
beforeAll(() => {
  document.body.replaceChildren();
  document.documentElement.lang = "en";
  localStorage.clear();
  sessionStorage.clear();
});
