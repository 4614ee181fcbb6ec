import type { Rendered } from "#contract/ssr.ts";

/** How long a rendered page is given to others: its figures are this much older, and the page itself updates them. */
const SHARED_MS = 1_000;
/** Of some 100 KB each. */
const MAX_PAGES = 100;

export type SharedPages = {
  has(key: string): boolean;
  /** The page by `render`, or as it was rendered a moment ago, or is being rendered now. One of a failure is not kept. */
  find(key: string, render: () => Promise<Rendered>): Promise<Rendered>;
};

/** Pages that are the same for everyone who asks for the same address. */
export function createSharedPages({ now = () => performance.now(), max = MAX_PAGES } = {}): SharedPages {
  /** Oldest first. */
  const pages = new Map<string, { rendered: Promise<Rendered>; endsAt: number }>();

  const dropOld = (): void => {
    for (const [key, { endsAt }] of pages) if (endsAt <= now()) pages.delete(key);
  };

  return {
    has: (key) => {
      dropOld();
      return pages.has(key);
    },
    find(key, render) {
      dropOld();
      const known = pages.get(key);
      if (known !== undefined) return known.rendered;
      const page = { rendered: render(), endsAt: Number.POSITIVE_INFINITY };
      const [oldest] = pages.keys();
      if (pages.size >= max && oldest !== undefined) pages.delete(oldest);
      pages.set(key, page);
      const forget = () => {
        if (pages.get(key) === page) pages.delete(key);
      };
      page.rendered.then(({ status }) => {
        page.endsAt = now() + SHARED_MS;
        if (status >= 500) forget();
      }, forget);
      return page.rendered;
    },
  };
}
