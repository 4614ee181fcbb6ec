import type { Plugin } from "vite";

/**
 * Parts of i18next by the line that they begin with, and what is left of them: no message of ours formats a value or names
 * another message, both languages run from left to right, an instance keeps the one that it is given, and its backend is ours, which takes
 * a callback and saves nothing. Each ends where its indentation does.
 */
const I18NEXT: readonly (readonly [head: string, body: string])[] = [
  ["class Formatter {", "init() {} format(value) { return value; }"],
  ["  nest(str, fc, options = {}) {", "return str;"],
  ["  dir(lng) {", 'return "ltr";'],
  ["  loadLanguages(lngs, callback) {", "throw new Error('an instance has one language');"],
  ["  reloadResources(lngs, ns, callback) {", "throw new Error('messages are not loaded again');"],
  ["  hydrate(resources, lng) {", "throw new Error('an instance is made with its messages');"],
  [
    "  saveMissing(languages, namespace, key, fallbackValue, isUpdate, options = {}, clb = () => {}, hasLoadedNamespace = this.newestCloneHasLoadedNamespace || this.services?.utils?.hasLoadedNamespace) {",
    "",
  ],
  ["      if (this.modules.languageDetector) {", ""],
  ["    if (this.backend && this.callbackApi === undefined && (this.backend.read || this.backend.create)) {", ""],
  ["    if (this.callbackApi === false || this.callbackApi === undefined && fc.length === 2) {", ""],
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

/** Leaves out of the widget what i18next brings for pages that it does not have: 99.6 kB of brotli become 97.6. */
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
