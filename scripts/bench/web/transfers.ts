import { brotliCompressSync } from "node:zlib";

/** One answer that a page loaded; `bytes` are those of its body as they came over the wire. */
export type Transfer = {
  path: string;
  contentType: string;
  contentEncoding: string | null;
  bytes: number;
  /** Headers too, both ways. */
  allBytes: number;
  /** Fetched by the service worker, which fills its cache once the page stands. */
  byWorker: boolean;
};

export type TransferSums = { js: number; css: number; total: number; requests: number };

const STYLE = /<style>([\s\S]*?)<\/style>/g;

/** The size of a page's inline styles as a file of their own, compressed as by the build. */
export const inlineStyleBytes = (html: string): number => {
  const styles = Array.from(html.matchAll(STYLE), ([, style = ""]) => style).join("\n");
  return styles === "" ? 0 : brotliCompressSync(styles).length;
};

const isScript = ({ contentType }: Transfer): boolean => contentType.includes("javascript");
const isStyle = ({ contentType }: Transfer): boolean => contentType.startsWith("text/css");

/** What the page itself loaded. */
export function sumTransfers(transfers: readonly Transfer[]): TransferSums {
  const own = transfers.filter(({ byWorker }) => !byWorker);
  const sum = (some: readonly Transfer[], bytesOf: (transfer: Transfer) => number): number =>
    some.reduce((total, transfer) => total + bytesOf(transfer), 0);
  return {
    js: sum(own.filter(isScript), ({ bytes }) => bytes),
    css: sum(own.filter(isStyle), ({ bytes }) => bytes),
    total: sum(own, ({ allBytes }) => allBytes),
    requests: own.length,
  };
}

/** The scripts and styles of the first load, the heaviest first; one that came without brotli says so. */
export function listFiles(transfers: readonly Transfer[]): string[] {
  return transfers
    .filter((transfer) => !transfer.byWorker && (isScript(transfer) || isStyle(transfer)))
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ path, bytes, contentEncoding }) => {
      const size = (bytes / 1000).toFixed(1).padStart(6);
      return `  ${size} kB  ${path}${contentEncoding === "br" ? "" : `  (${contentEncoding ?? "not compressed"})`}`;
    });
}
