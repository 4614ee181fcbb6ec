import * as z from "zod/mini";
import { instrumentSchema } from "./instrument.ts";

// What signed calls take and answer (contract §13).

/** An instrument with the ids that other systems know it by; null where its chain has none. */
export const partnerInstrumentSchema = z.extend(instrumentSchema, {
  /** CAIP-2: "eip155:1". */
  chainId: z.nullable(z.string()),
  /** CAIP-19: "eip155:1/erc20:0xdAC1…". */
  assetId: z.nullable(z.string()),
});
export type PartnerInstrument = z.infer<typeof partnerInstrumentSchema>;
export const partnerInstrumentsSchema = z.array(partnerInstrumentSchema);
