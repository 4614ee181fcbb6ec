import { wordOf } from "./address.ts";

/** Transfer(address,address,uint256), as every ERC-20 and TRC-20 logs it. */
export const TRANSFER_TOPIC = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export const TRANSFER = "transfer(address,uint256)";
export const BALANCE_OF = "balanceOf(address)";

/** The parameters of `transfer`, for a call that is only tried. */
export const transferParameters = (to: string, amount: bigint): string =>
  wordOf(to) + amount.toString(16).padStart(64, "0");
