import type { LiquidityPartner } from "../port.ts";

/** A provider that quotes nothing and refuses every exchange: orders that a sandbox gives to it go to another one. */
export const createRefusingPartner = (code: string): LiquidityPartner => ({
  code,
  quote: async () => [],
  open: async () => ({ kind: "refused", reason: "the sandbox plays a provider that fails" }),
  find: async () => ({ kind: "absent" }),
  status: async () => ({ kind: "expired" }),
  addresses: async () => null,
});
