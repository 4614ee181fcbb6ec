import type { cardCalls } from "#contract/calls/card.ts";
import { CRYPTO_FEATURE, EMAIL_CONFIRMED, FEATURE_COMPLETE } from "#contract/card.ts";
import type { ExamplesOf } from "./example.ts";
import { EMAIL } from "./people.ts";

/** Ours, in place of the provider's. */
const TOKEN = "3f9ac41d7be05286f10d9ce4a7b83512cd60ef94a1752b8de3046fb98c17a5d2";
const KYC_TOKEN = "4c1f7a90-be27-4d65-8c0e-91f3a7d8b21e";

export const cardExamples: ExamplesOf<keyof typeof cardCalls> = {
  cardSignUp: { body: { accept: true, email: EMAIL }, answer: {} },
  cardSignIn: { body: { email: EMAIL }, answer: { bearerToken: TOKEN } },
  cardContacts: { query: { mercuryoBearerToken: TOKEN }, answer: { emailStatus: EMAIL_CONFIRMED } },
  cardKycStatus: {
    query: { mercuryoBearerToken: TOKEN },
    answer: { features: [{ feature: CRYPTO_FEATURE, status: FEATURE_COMPLETE }] },
  },
  cardAccessToken: {
    query: { mercuryoBearerToken: TOKEN, feature: CRYPTO_FEATURE },
    answer: {
      kycAccessToken: KYC_TOKEN,
      applicantId: "64d2a8b1c7e0f93512ab47de",
      verificationUrl: `https://exchange.mercuryo.io/kyc?access_token=${KYC_TOKEN}`,
    },
  },
  cardCallback: {
    body: {
      payload: {
        data: {
          id: "058dc74257a417582",
          merchant_transaction_id: "9b1f3846c2d5e7a90c2d5e7a9b1f3846",
          type: "buy",
          fiat_currency: "USD",
          fiat_amount: "250.00",
          currency: "ETH",
          amount: "0.0771",
          status: "paid",
        },
      },
    },
    answer: {},
  },
};
