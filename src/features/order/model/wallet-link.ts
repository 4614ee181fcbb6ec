/**
 * Schemes that wallets for phones register: BIP-21 of Bitcoin and Litecoin, Monero's, EIP-681 of Ethereum and its like. A link of
 * another scheme, or a bare address, mostly opens nothing.
 */
const WALLET_SCHEMES: readonly string[] = ["bitcoin:", "litecoin:", "monero:", "ethereum:"];

/** Whether a wallet is likely to open a payment URI on a phone. */
export const opensInWallet = (depositUri: string): boolean =>
  WALLET_SCHEMES.some((scheme) => depositUri.startsWith(scheme));
