import type { orderCalls } from "#contract/calls/orders.ts";
import type { ExamplesOf } from "./example.ts";
import {
  AT,
  COMPLETED,
  CREATED,
  ETH,
  ORDER_KEY,
  RATE,
  RATE_ACCEPTED,
  REFERENCE,
  REFUND,
  REFUND_ADDRESS,
  REFUND_REQUESTED,
  USDT,
} from "./exchange.ts";
import { EMAIL, PUSH_BROWSER, PUSH_KEY } from "./people.ts";

const { orderId } = ORDER_KEY;
const { endpoint } = PUSH_BROWSER;
const refOf = ({ currencyTitle, networkTitle, slug }: typeof ETH) => ({ currencyTitle, networkTitle, slug });

export const orderExamples: ExamplesOf<keyof typeof orderCalls> = {
  latestOrders: {
    answer: [
      { instrumentFrom: "eth", instrumentTo: "usdt-erc20", amountFrom: "0.5", amountTo: "1560", completedAt: AT },
    ],
  },
  pairActivity: {
    query: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20" },
    answer: {
      isAskedFor: true,
      latest: [{ amountFrom: "0.5", amountTo: "1560", completedAt: AT }],
      statistics: {
        exchanges: 96,
        medianSeconds: 420,
        delivered: { exchanges: 91, medianDifference: "-0.02", atLeastQuotedShare: 0.48 },
      },
    },
  },
  askedPairs: { answer: [{ from: "eth", to: "usdt-erc20", lastAt: AT }] },
  orderInfo: { query: ORDER_KEY, answer: COMPLETED },
  orderState: { query: { orderId }, answer: { orderId, state: "COMPLETED" } },
  refundInfo: { query: ORDER_KEY, answer: REFUND },
  createOrder: {
    body: {
      rateMode: "FLOATING",
      instrumentFrom: refOf(ETH),
      instrumentTo: refOf(USDT),
      destinationAddress: ORDER_KEY.destinationAddress,
      claimedDepositAmount: RATE.claimedDepositAmount,
      claimedPublicRate: {
        price: RATE.price,
        updatedAt: RATE.updatedAt,
        claimedAmountToReceive: RATE.amountToGet,
        finalNetworkFeeAmount: RATE.finalNetworkFeeAmount,
        platformFee_Absolute: RATE.platformFee_Absolute,
      },
      locale: "en",
    },
    answer: CREATED,
  },
  setEmail: { body: { ...ORDER_KEY, userEmail: EMAIL }, answer: { orderId, isEmailConfirmed: true } },
  requestRefund: {
    body: {
      ...ORDER_KEY,
      refundAddress: REFUND_ADDRESS,
      refundAmount: REFUND.refundAmountWithoutNetworkFee,
      claimedNetworkFee: REFUND.networkFee,
    },
    answer: REFUND_REQUESTED,
  },
  stopRefund: {
    body: { orderId, token: "9mW2rCk4s0dZpVb7xQe1tYh6uJf3aLg8nRi5oKcE2vU" },
    answer: { orderId, reference: REFERENCE, isStopped: true },
  },
  acceptRateModeChange: { body: ORDER_KEY, answer: RATE_ACCEPTED },
  pushKey: { answer: { publicKey: PUSH_KEY } },
  subscribePush: {
    body: { ...ORDER_KEY, ...PUSH_BROWSER },
    answer: { orderId, isSubscribed: true, isAccountSubscribed: false },
  },
  unsubscribePush: {
    body: { ...ORDER_KEY, endpoint },
    answer: { orderId, isSubscribed: false, isAccountSubscribed: false },
  },
};
