import { isPure, resolveImport } from "./import-rules.ts";
import { fileOf, globalsUsed, type Node, type Rule, type Visitors } from "./oxlint.ts";

const WORLD = new Set([
  "process",
  "console",
  "performance",
  "crypto",
  "fetch",
  "WebSocket",
  "XMLHttpRequest",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "requestAnimationFrame",
  "globalThis",
  "window",
  "document",
  "navigator",
  "localStorage",
  "sessionStorage",
  "indexedDB",
  "require",
  "Temporal",
]);

/** Keeps the business rules (isPure) free of clock, randomness and I/O, also through what they import. */
export const pureRule: Rule = {
  meta: { type: "problem", docs: { description: "No clock, randomness or I/O in the business rules" } },
  create(context): Visitors {
    const file = fileOf(context);
    if (!isPure(file)) return {};
    const judgeImport = ({ source, importKind, exportKind }: Node) => {
      // Types are gone at run time.
      if (importKind === "type" || exportKind === "type") return;
      // contract has its own, same rule for imports in import-rules.ts
      if (typeof source?.value !== "string" || file.startsWith("contract/")) return;
      const target = resolveImport(file, source.value);
      const allowed = target.kind === "file" ? isPure(target.path) : /^zod(\/mini)?$/.test(target.name);
      if (!allowed)
        context.report({
          node: source,
          message: `a pure file may import only pure files and zod, not ${source.value}`,
        });
    };
    return {
      ImportDeclaration: judgeImport,
      ExportNamedDeclaration: judgeImport,
      ExportAllDeclaration: judgeImport,
      ImportExpression: (node) => context.report({ node, message: "a pure file loads nothing at run time" }),
      "Program:exit": () => {
        for (const identifier of globalsUsed(context)) {
          const message = judgeGlobal(identifier);
          if (message) context.report({ node: identifier, message });
        }
      },
    };
  },
};

function judgeGlobal(identifier: Node): string | null {
  const name = identifier.name ?? "";
  if (WORLD.has(name)) return `a pure file may not reach ${name}`;
  const parent = identifier.parent;
  if (name === "Math" && !readsOtherMember(parent, "random")) return "a pure file has no randomness";
  if (name === "Date" && !isClocklessDate(parent)) return "a pure file has no clock: take the time as an argument";
  return null;
}

/** `Date.parse(x)`, `new Date(x)`, `x instanceof Date` and the type `Date` read no clock; everything else may. */
function isClocklessDate(parent: Node | undefined): boolean {
  if (parent?.type === "NewExpression") return (parent.arguments ?? []).length > 0;
  if (parent?.type === "BinaryExpression") return parent.operator === "instanceof";
  return parent?.type.startsWith("TS") === true || readsOtherMember(parent, "now");
}

const readsOtherMember = (parent: Node | undefined, member: string): boolean =>
  parent?.type === "MemberExpression" && parent.computed !== true && parent.property?.name !== member;
