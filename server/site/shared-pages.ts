import { setBounded } from "../base/bounded-map.ts";
import type { Rendered } from "#contract/site/ssr.ts";

/** How long a rendered page is given to others: its figures are this much older, and the page itself updates them. */
const SHARED_MS = 1_000;
/** Of some 100 KB each. */
const MAX_PAGES = 100;

export type SharedPages = {
  has(key: string): boolean;
  /**
   * The page by `render`, or as it was rendered a moment ago, or is being rendered now. One of a failure is not kept. `left` says that who asks
   * has left; `render` is aborted when all who wait for it have.
   */
  find(key: string, render: (left: AbortSignal) => Promise<Rendered>, left: AbortSignal): Promise<Rendered>;
};

type SharedPage = { rendered: Promise<Rendered>; endsAt: number; waiting: number; allLeft: AbortController };

/** Pages that are the same for everyone who asks for the same address. */
export function createSharedPages({ now = () => performance.now(), max = MAX_PAGES } = {}): SharedPages {
  /** Oldest first. */
  const pages = new Map<string, SharedPage>();

  const dropOld = (): void => {
    for (const [key, { endsAt }] of pages) if (endsAt <= now()) pages.delete(key);
  };

  const forget = (key: string, page: SharedPage): void => {
    if (pages.get(key) === page) pages.delete(key);
  };

  const waitFor = (key: string, page: SharedPage, left: AbortSignal): Promise<Rendered> => {
    page.waiting += 1;
    const leave = (): void => {
      page.waiting -= 1;
      if (page.waiting > 0 || page.endsAt !== Number.POSITIVE_INFINITY) return;
      forget(key, page);
      page.allLeft.abort();
    };
    if (left.aborted) leave();
    else left.addEventListener("abort", leave, { once: true });
    return page.rendered;
  };

  return {
    has: (key) => {
      dropOld();
      return pages.has(key);
    },
    find(key, render, left) {
      dropOld();
      const known = pages.get(key);
      if (known !== undefined) return waitFor(key, known, left);
      const allLeft = new AbortController();
      const page = { rendered: render(allLeft.signal), endsAt: Number.POSITIVE_INFINITY, waiting: 0, allLeft };
      setBounded(pages, key, page, max);
      page.rendered.then(
        ({ status }) => {
          page.endsAt = now() + SHARED_MS;
          if (status >= 500) forget(key, page);
        },
        () => forget(key, page),
      );
      return waitFor(key, page, left);
    },
  };
}
