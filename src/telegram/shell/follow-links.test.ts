import { afterEach, beforeAll, expect, test } from "vitest";
import { followLinks } from "./follow-links.ts";

const opened: string[] = [];
const client = { can: true };
let isFollowed = false;

beforeAll(() => {
  window.open = () => null;
  followLinks({
    openLink(url) {
      opened.push(url);
      return client.can;
    },
  });
  addEventListener("click", (event) => {
    isFollowed = !event.defaultPrevented;
    event.preventDefault();
  });
});
afterEach(() => {
  opened.length = 0;
  client.can = true;
  document.body.replaceChildren();
});

/** Presses the middle of a link; whether the browser would follow it. */
function press(href: string, init: MouseEventInit = {}): boolean {
  document.body.innerHTML = `<a href="${href}" target="_blank"><code>0x1</code></a>`;
  const inside = document.querySelector("code") as HTMLElement;
  inside.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
  return isFollowed;
}

test.each(["https://etherscan.io/tx/0x1", "http://explorer.example/", "https://t.me/wherry_bot"])(
  "%s is opened by the client, in the press",
  (href) => {
    expect(press(href)).toBe(false);
    expect(opened).toEqual([href]);
  },
);

test.each(["/order/pending", "#main", "bitcoin:bc1q?amount=1", "mailto:ann@mail.example"])(
  "%s is the page's own",
  (href) => {
    expect(press(href)).toBe(true);
    expect(opened).toEqual([]);
  },
);

test("another button of the mouse is the browser's", () => {
  expect(press("https://etherscan.io/", { button: 1 })).toBe(true);
});

test("what the client can't open the browser does", () => {
  client.can = false;
  expect(press("https://etherscan.io/")).toBe(true);
});
