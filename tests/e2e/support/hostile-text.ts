import { expect, type Page } from "@playwright/test";

/** Runs where a text is taken for markup, or is loaded from. */
const MARKUP = `<img src=/pwned onerror="pwned=1"><script>pwned=2</script>`;
/** Turns what follows around, opens what it doesn't close, and hides between two letters. */
const BIDI = "A\u202Egnp.exe\u2066\u2067\u200B\u200DB\uFEFF";
const LONG = "W".repeat(300);
const CONTROLS = "C\u0001\u0007\u001B[31mD\u0085E";
const EMOJI = "🦊👩🏽‍🚀☎️";
const RIGHT_TO_LEFT = "שלום עולם";

export const HOSTILE = [MARKUP, BIDI, LONG, CONTROLS, EMOJI, RIGHT_TO_LEFT, "{{memo}} $t(copy) ${1+1}"].join(" ");

const WATCHED = /^\/pwned|evil\.test/;

/** Fails the test's end when a request leaves for anywhere but the page's own origin, or for what a hostile text names. */
export function watchRequests(page: Page, origin: string): string[] {
  const strays: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(?:data|blob):$/.test(url.protocol)) return;
    if (url.host !== new URL(origin).host || WATCHED.test(url.pathname)) strays.push(request.url());
  });
  return strays;
}

/**
 * Nothing of a hostile text has become markup, it turns nothing else around, and the page is no wider than its window. The names of
 * a catalogue may stand in a sentence of ours, because none of them holds a character that acts on others.
 */
export async function expectHarmless(page: Page, names: readonly string[] = []): Promise<void> {
  const found = await page.evaluate(findHarm, names);
  expect(found).toEqual({ ran: false, elements: [], loose: [], wide: [] });
}

function findHarm(names: readonly string[]) {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const isShown = ({ parentElement: parent }: Text) =>
    parent !== null && parent.closest("script, style, .w-visually-hidden") === null;
  // Characters that act on the text around them, and letters that run to the left beside ours that run to the right.
  const acting = /(?![\t\n\r])[\p{Cc}\p{Cf}]/u;
  const rightToLeft = /\p{Script=Hebrew}/u;
  const mustStandApart = (text: string) => rightToLeft.test(text) && (names.length === 0 || names.includes(text));
  const loose = nodes
    .filter(isShown)
    .filter(({ data, parentElement }) => acting.test(data) || (mustStandApart(data) && !parentElement?.closest("bdi")))
    .map(({ data, parentElement }) => `${parentElement?.tagName} ${parentElement?.className}: ${JSON.stringify(data)}`);
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    ran: "pwned" in globalThis,
    elements: [...document.querySelectorAll('[onerror], [src*="pwned"], [href*="pwned"]:not(a)')].map(
      (one) => one.outerHTML,
    ),
    loose,
    wide:
      scrollWidth <= clientWidth
        ? []
        : [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
            .map((element) => `${element.tagName} ${element.getAttribute("class")}`),
  };
}
