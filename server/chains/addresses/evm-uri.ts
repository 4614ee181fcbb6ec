/** What a wallet is asked to send; `contractAddress` is null for the network's own coin, `amount` counts minor units. */
export type EvmUriRequest = { chainId: number; toAddress: string; contractAddress: string | null; amount: bigint };

/** Writes the payment URI of EIP-681. */
export function evmPaymentUri({ chainId, toAddress, contractAddress, amount }: EvmUriRequest): string {
  return contractAddress === null
    ? `ethereum:${toAddress}@${chainId}?value=${amount}`
    : `ethereum:${contractAddress}@${chainId}/transfer?address=${toAddress}&uint256=${amount}`;
}
