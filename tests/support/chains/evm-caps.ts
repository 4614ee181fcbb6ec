/** The caps that the catalogue has unless it says otherwise. */
export const EVM_CAPS = {
  nativeGas: 100_000n,
  tokenGas: 300_000n,
  maxFeePerGas: 500n * 10n ** 9n,
  maxPriorityFeePerGas: 50n * 10n ** 9n,
};
