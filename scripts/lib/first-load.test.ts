import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountFiles, circularChunks, embedLoad, firstLoad } from "./first-load.ts";

let client: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(client, path)), { recursive: true });
  writeFileSync(join(client, path), text);
};

beforeAll(() => {
  client = mkdtempSync(join(tmpdir(), "first-load-"));
  write(
    ".vite/manifest.json",
    JSON.stringify({
      "index.html": { file: "entry.js", imports: ["_vendor.js"], css: ["entry.css"] },
      "_vendor.js": { file: "vendor.js", imports: ["index.html"] },
      "page.tsx": { file: "page.js", imports: ["_vendor.js"], css: ["page.css"], dynamicImports: ["dialog.tsx"] },
      "dialog.tsx": { file: "dialog.js" },
    }),
  );
  write(
    ".vite/embed-manifest.json",
    JSON.stringify({
      "embed.html": { file: "embed-entry.js", imports: ["_first.js"] },
      "_first.js": { file: "first.js", dynamicImports: ["order.tsx"] },
      "order.tsx": { file: "order.js", imports: ["_first.js"] },
    }),
  );
  write("embed.js", "y".repeat(1_600));
  const sizes = {
    "embed-entry.js": 10,
    "first.js": 700,
    "order.js": 5_000,
    "entry.js": 1000,
    "vendor.js": 2000,
    "page.js": 300,
    "dialog.js": 9000,
  };
  for (const [file, size] of Object.entries(sizes)) {
    write(file, "");
    write(`${file}.br`, "x".repeat(size));
  }
  for (const [file, size] of Object.entries({ "entry.css": 600, "page.css": 20 })) {
    write(file, "");
    write(`${file}.br`, "x".repeat(size));
  }
});
afterAll(() => rmSync(client, { recursive: true, force: true }));

test("each file that the page needs at once is counted once, without what is loaded on demand", () => {
  expect(firstLoad(client, "page.tsx")).toMatchObject({ js: 3300, css: 620 });
});

test("the widget's frame has a build of its own, and the script of other sites counts as it is", () => {
  expect(embedLoad(client)).toMatchObject({ js: 710, css: 0, loader: 1_600 });
});

test("a page that the build doesn't have is an error, not a page of no bytes", () => {
  expect(() => firstLoad(client, "gone.tsx")).toThrow("the build has no gone.tsx");
});

test("a script of accounts that a guest's first load has is found, and what a press loads isn't", () => {
  expect(accountFiles(client, "page.tsx")).toEqual([]);
  write("dialog.js", 'call("/api/v1/users/local/create")');
  expect(accountFiles(client, "page.tsx")).toEqual([]);
  write("vendor.js", 'call("/api/v1/users/local/create")');
  expect(accountFiles(client, "page.tsx")).toEqual(["vendor.js"]);
});

test("chunks that import each other are found", () => {
  expect(circularChunks(client)).toEqual(["index.html → _vendor.js → index.html"]);
});
