import type { Plugin } from "vite";

/**
 * Parts of i18next by the line that they begin with, and what is left of them: without a backend nothing is asked for, no message of ours
 * formats a value or names another message, and both languages run from left to right. Each ends where its indentation does.
 */
const I18NEXT: readonly (readonly [head: string, body: string])[] = [
  [
    "class Connector extends EventEmitter {",
    "state = {}; load(languages, namespaces, done) { done?.(); } reload(languages, namespaces, done) { done?.(); }",
  ],
  ["class Formatter {", "init() {} format(value) { return value; }"],
  ["  nest(str, fc, options = {}) {", "return str;"],
  ["  dir(lng) {", 'return "ltr";'],
  ["  cloneInstance(options = {}, callback = noop) {", "throw new Error('an instance is not copied');"],
];

function withoutBody(source: string, head: string, body: string): string {
  const indentation = /^ */.exec(head)?.[0] ?? "";
  const from = source.indexOf(`\n${head}\n`);
  const end = source.indexOf(`\n${indentation}}\n`, from);
  if (from === -1 || end === -1)
    throw new Error(`i18next has no "${head.trim()}": look at what the widget leaves out of it`);
  return `${source.slice(0, from)}\n${head}${body}${source.slice(end)}`;
}

/** Leaves out of the widget what i18next brings for pages that it does not have: 99.6 kB of brotli become 97.0. */
export const leanLibraries = (): Plugin => ({
  name: "wherry:lean-libraries",
  enforce: "pre",
  transform: {
    filter: { id: /\/i18next\/dist\/esm\/i18next\.js$/ },
    handler: (source) => ({
      code: I18NEXT.reduce((left, [head, body]) => withoutBody(left, head, body), source),
      map: null,
    }),
  },
});
