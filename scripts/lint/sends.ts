import { isTest } from "./import-rules.ts";
import { fileOf, type Node, type Rule, type Visitors } from "./oxlint.ts";

const RELAYS = new Set([
  "eth_sendRawTransaction",
  "sendrawtransaction",
  "/send_raw_transaction",
  "relay_tx",
  "sendRawTransaction",
]);
const SIGNS_AND_SENDS = new Set([
  "eth_sendTransaction",
  "sendtoaddress",
  "sendmany",
  "sendTransaction",
  "writeContract",
  "deployContract",
]);
const IN_NETWORKS = /^server\/chains\//;
const PLAYS_WITH_DEVNETS = /^(server\/devnet\/|server\/sandbox\/|scripts\/)/;

/**
 * Lets payments leave in one place only: what broadcasts is called inside server/chains, and what signs and broadcasts in
 * one step, so that nothing could be stored between the two (engine law 5), only for the local devnet.
 */
export const sendsRule: Rule = {
  meta: { type: "problem", docs: { description: "Only the network drivers broadcast" } },
  create(context): Visitors {
    const file = fileOf(context);
    if (isTest(file) || PLAYS_WITH_DEVNETS.test(file)) return {};
    const judge = (node: Node, name: unknown) => {
      if (typeof name !== "string") return;
      if (SIGNS_AND_SENDS.has(name))
        context.report({ node, message: `${name} signs and sends in one: sign, store, commit, then broadcast` });
      else if (RELAYS.has(name) && !IN_NETWORKS.test(file))
        context.report({ node, message: `${name} belongs to server/chains` });
    };
    return {
      Literal: (node) => judge(node, node.value),
      MemberExpression: (node) => judge(node, node.computed === true ? null : node.property?.name),
      ImportSpecifier: (node) => judge(node, (node as Node & { imported?: Node }).imported?.name),
    };
  },
};
