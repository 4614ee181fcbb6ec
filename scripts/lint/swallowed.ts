import type { Node, Rule } from "./oxlint.ts";

const FUNCTIONS = new Set(["ArrowFunctionExpression", "FunctionExpression"]);

const isNothing = (body: Node | Node[] | undefined): boolean => {
  if (body === undefined || Array.isArray(body)) return false;
  if (body.type === "BlockStatement") return Array.isArray(body.body) && body.body.length === 0;
  if (body.type === "UnaryExpression") return body.operator === "void";
  return (body.type === "Identifier" && body.name === "undefined") || (body.type === "Literal" && body.value === null);
};

/** Refuses `.catch(() => {})` and its like: a failure is handled, logged or passed on. */
export const failureRule: Rule = {
  meta: { type: "problem", docs: { description: "No failure is swallowed" } },
  create: (context) => ({
    CallExpression(node) {
      const handler = node.arguments?.[0];
      if (node.callee?.type !== "MemberExpression" || node.callee.property?.name !== "catch" || !handler) return;
      if (FUNCTIONS.has(handler.type) && isNothing(handler.body))
        context.report({ node: handler, message: "this failure is swallowed: handle it, log it or let it through" });
    },
  }),
};
