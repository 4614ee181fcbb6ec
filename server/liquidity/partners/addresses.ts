import * as z from "zod";
import type { PartnerAddresses } from "../port.ts";
import { optionalTextSchema } from "./client.ts";

/** Where ChangeNOW is paid for an exchange, and whom it pays. */
export const changeNowAddresses = z
  .object({
    payinAddress: optionalTextSchema,
    payoutAddress: optionalTextSchema,
    payoutExtraId: z.string().max(256).nullish(),
  })
  .transform(({ payinAddress: deposit, payoutAddress: destination, payoutExtraId: memo }): PartnerAddresses => {
    return { deposit, destination, ...(memo !== undefined && { destinationMemo: memo || null }) };
  });

/** The same of a shift at SideShift, which leaves out a memo that there is not. */
export const sideShiftAddresses = z
  .object({ depositAddress: optionalTextSchema, settleAddress: optionalTextSchema, settleMemo: optionalTextSchema })
  .transform(({ depositAddress: deposit, settleAddress: destination, settleMemo }): PartnerAddresses => {
    return { deposit, destination, destinationMemo: settleMemo };
  });
