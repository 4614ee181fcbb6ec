import { relative, sep } from "node:path";

/** The small part of oxlint's (ESLint-compatible) plugin interface that the project's rules use. */
export type Node = {
  type: string;
  parent?: Node;
  name?: string;
  value?: unknown;
  source?: Node | null;
  importKind?: "type" | "value";
  exportKind?: "type" | "value";
  argument?: Node;
  arguments?: Node[];
  callee?: Node;
  object?: Node;
  property?: Node;
  computed?: boolean;
  operator?: string;
  body?: Node | Node[];
  quasi?: Node;
  cooked?: string;
};

type Reference = { identifier: Node };
type Variable = { name: string; defs: unknown[]; references: Reference[] };

export type Context = {
  cwd: string;
  filename: string;
  sourceCode: { scopeManager: { globalScope: { through: Reference[]; variables: Variable[] } | null } };
  report(problem: { node: Node; message: string }): void;
};

export type Visitors = Record<string, (node: Node) => void>;

export type Rule = {
  meta: { type: "problem"; docs: { description: string } };
  create(context: Context): Visitors;
};

/** The path of the file being linted, from the top level of the repository and with forward slashes. */
export const fileOf = (context: Context): string => relative(context.cwd, context.filename).split(sep).join("/");

/** Every place where the file uses a name that it does not declare itself. */
export function globalsUsed(context: Context): Node[] {
  const scope = context.sourceCode.scopeManager.globalScope;
  const builtIn = (scope?.variables ?? [])
    .filter(({ defs }) => defs.length === 0)
    .flatMap(({ references }) => references);
  return [...(scope?.through ?? []), ...builtIn].map(({ identifier }) => identifier);
}
