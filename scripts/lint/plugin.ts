import { failureRule } from "./swallowed.ts";
import { pureRule } from "./pure.ts";
import { forbidImport } from "./import-rules.ts";
import { sendsRule } from "./sends.ts";
import { fileOf, type Node, type Rule } from "./oxlint.ts";

const importsRule: Rule = {
  meta: { type: "problem", docs: { description: "Keep the import rules of ARCHITECTURE.md" } },
  create(context) {
    const file = fileOf(context);
    const judge = (source: Node | null | undefined) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const message = forbidImport(file, source.value);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => judge(node.source),
      ExportNamedDeclaration: (node) => judge(node.source),
      ExportAllDeclaration: (node) => judge(node.source),
      ImportExpression: (node) => judge(node.source),
      TSImportType: (node) => judge(node.source ?? node.argument),
    };
  },
};

/** The project's own lint rules, loaded by .oxlintrc.json. */
export default {
  meta: { name: "wherry" },
  rules: { imports: importsRule, pure: pureRule, sends: sendsRule, "no-swallowed-failure": failureRule },
};
