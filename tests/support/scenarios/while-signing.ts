import type { NetworkWallet } from "../../../server/chains/port.ts";

/** Does something once, after a payment to an address was checked and before it is signed. */
export function whileSigning(
  wallet: Pick<NetworkWallet, "prepare">,
  toAddress: string,
  act: () => Promise<unknown>,
): void {
  const prepare = wallet.prepare.bind(wallet);
  let isDone = false;
  wallet.prepare = async (payment, handle) => {
    if (payment.toAddress === toAddress && !isDone) {
      isDone = true;
      await act();
    }
    return prepare(payment, handle);
  };
}
