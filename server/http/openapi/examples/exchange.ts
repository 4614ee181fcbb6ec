// An exchange of ETH to USDT, of which the examples of both documents are made.

import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import type { PairData } from "#contract/rate.ts";

export const AT = "2026-11-21T12:00:00.000Z";

export const ETH: Instrument = {
  currencyTitle: "ETH",
  networkTitle: "ETH",
  slug: "eth",
  bestChangeName: "ETH",
  coinstatValue: null,
  price: "3127.9486",
  currencyLogoLink: null,
  currencyFriendlyTitle: "Ethereum",
  networkFriendlyTitle: "Ethereum",
  instrumentType: "other",
  requiresMemo: false,
  precisionDecimals: 18,
  contractAddress: null,
  isPopular: true,
  explorerTx: "https://etherscan.io/tx/{txId}",
  explorerAddress: "https://etherscan.io/address/{address}",
  confirmations: 3,
  networkStandard: null,
  payoutFee: "0.00002101",
  blockSeconds: 12,
  payoutSeconds: 24,
};

export const USDT: Instrument = {
  ...ETH,
  currencyTitle: "USDT",
  slug: "usdt-erc20",
  bestChangeName: "USDTERC20",
  price: "1.0002509",
  currencyFriendlyTitle: "Tether",
  precisionDecimals: 6,
  contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  networkStandard: "ERC20",
  payoutFee: "0.203266",
};

export const RATE: PairData = {
  instrumentFrom: ETH,
  instrumentTo: USDT,
  liquidityProviderPublicCode: "treasury",
  amountToGive: "0.5",
  amountToGet: "1555.560821",
  rateMode: "FLOATING",
  price: "3111.121642",
  marketLeftPrice: "3127.9486",
  marketRightPrice: "1.0002509",
  marketMinAmount: "0.0016",
  generalMinAmount: "0.0016",
  generalMaxAmount: "79.9",
  quotes: { buyQuote: { quoteValue: "3127.16399455" }, sellQuote: { quoteValue: "0.000319778560299" } },
  depositRules: { minAmount: "0.0016", maxAmount: "79.9" },
  finalNetworkFeeAmount: "0.203266",
  platformFee_Absolute: "7.81791",
  claimedDepositAmount: "0.5",
  updatedAt: AT,
  validUntil: null,
  ckm: "D",
  noKycThreshold: null,
  card: null,
  estimatedSeconds: 66,
};

/** What opens the order. */
export const ORDER_KEY = {
  orderId: "4fJ0m1rTq8ZbX2cVn6LsKw",
  destinationAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
};
export const REFERENCE = "3HYB-BSWY";
export const REFUND_ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** It waits for its deposit. */
export const CREATED: Order = {
  ...ORDER_KEY,
  reference: REFERENCE,
  status: "CREATION_END",
  rateMode: "FLOATING",
  pair: { instrumentFrom: ETH, instrumentTo: USDT },
  destinationAddressMemo: null,
  refundAddress: null,
  refundAddressMemo: null,
  userEmail: null,
  isEmailConfirmed: true,
  claimedDepositAmount: "0.5",
  claimedPublicRate: {
    price: RATE.price,
    finalNetworkFeeAmount: RATE.finalNetworkFeeAmount,
    platformFee_Absolute: RATE.platformFee_Absolute,
    claimedAmountToReceive: RATE.amountToGet,
  },
  amountToGet: RATE.amountToGet,
  feesTaken: null,
  pricesUsd: { from: "3127.9486", to: "1.0002509" },
  finalPricesUsd: null,
  createdAt: AT,
  expiresAt: null,
  unpaidUntil: "2026-11-22T12:00:00.000Z",
  minConfirmationsToWithdraw: 3,
  depositAddress: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  depositAddressMemo: null,
  depositUri: "ethereum:0x8ba1f109551bD432803012645Ac136ddd64DBA72@1?value=500000000000000000",
  deposits: [],
  withdrawals: [],
  orderEvents: [{ kind: "CREATION_END", at: AT }],
  offer: null,
  attention: null,
  review: null,
  redirectUrl: null,
  card: null,
  estimatedSeconds: 66,
};

const DEPOSIT: Order["deposits"][number] = {
  amount: "0.5",
  confirmations: 4,
  requiredConfirmations: 3,
  txId: "0x610c78541e095fb88513cbc1c58579bb07aec4c50307f714ceb4d7bbe9d3d94e",
  detectedAt: "2026-11-21T12:01:12.000Z",
  isCounted: true,
};

const DEPOSITED: Order = {
  ...CREATED,
  status: "INCOMING_FUNDS_DETECTED",
  unpaidUntil: null,
  deposits: [DEPOSIT],
  orderEvents: [
    { kind: "INCOMING_FUNDS_DETECTED", at: DEPOSIT.detectedAt },
    { kind: "DEPOSIT_REGISTERED", at: DEPOSIT.detectedAt },
    ...CREATED.orderEvents,
  ],
};

export const COMPLETED: Order = {
  ...DEPOSITED,
  status: "WITHDRAWAL_COMPLETED",
  amountToGet: "1555.548387",
  feesTaken: { platformFee: "7.817848", networkFee: "0.203265" },
  finalPricesUsd: { from: "3127.9236", to: "1.0002509" },
  withdrawals: [
    {
      amount: "1555.548387",
      txId: "0xf6d90ba1aa9d73b492ddaad841984412104d00c4d7799a5894b166d6f8921380",
      confirmations: 1,
      kind: "payout",
    },
  ],
  orderEvents: [
    { kind: "WITHDRAWAL_COMPLETED", at: "2026-11-21T12:02:24.000Z" },
    { kind: "FUNDS_WITHDRAWAL_START", at: "2026-11-21T12:02:00.000Z" },
    ...DEPOSITED.orderEvents,
  ],
  estimatedSeconds: null,
};

/** What came back for the deposit, once its network took its fee. */
export const REFUND = { refundAmountWithoutNetworkFee: "0.49997899", networkFee: "0.00002101" };

export const REFUND_REQUESTED: Order = {
  ...DEPOSITED,
  status: "REFUND_REQUESTED",
  refundAddress: REFUND_ADDRESS,
  deposits: [{ ...DEPOSIT, confirmations: 1 }],
  orderEvents: [{ kind: "REFUND_REQUESTED", at: "2026-11-21T12:01:30.000Z" }, ...DEPOSITED.orderEvents],
  estimatedSeconds: null,
};

/** Its deposit came after the fixed rate had ended. */
const SLOW: Order["deposits"][number] = { ...DEPOSIT, confirmations: 1, detectedAt: "2026-11-21T12:31:12.000Z" };

export const RATE_ACCEPTED: Order = {
  ...CREATED,
  rateMode: "FIXED",
  status: "RATE_MODE_CHANGE_ACCEPTED",
  refundAddress: REFUND_ADDRESS,
  claimedPublicRate: {
    price: "3095.485822",
    finalNetworkFeeAmount: "0.203266",
    platformFee_Absolute: "15.63582",
    claimedAmountToReceive: "1547.742911",
  },
  amountToGet: "1555.548387",
  feesTaken: { platformFee: "7.817848", networkFee: "0.203265" },
  expiresAt: "2026-11-21T12:20:00.000Z",
  unpaidUntil: null,
  deposits: [SLOW],
  orderEvents: [
    { kind: "RATE_MODE_CHANGE_ACCEPTED", at: "2026-11-21T12:32:00.000Z" },
    { kind: "RATE_MODE_CHANGED", at: SLOW.detectedAt },
    { kind: "FIXED_RATE_SLOW_DEPOSIT_DETECTED", at: SLOW.detectedAt },
    { kind: "INCOMING_FUNDS_DETECTED", at: SLOW.detectedAt },
    { kind: "DEPOSIT_REGISTERED", at: SLOW.detectedAt },
    ...CREATED.orderEvents,
  ],
  estimatedSeconds: 48,
};
