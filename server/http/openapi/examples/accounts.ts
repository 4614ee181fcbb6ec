import type { accountCalls } from "#contract/calls/accounts.ts";
import type { accountPushCalls } from "#contract/calls/account-push.ts";
import type { userCalls } from "#contract/calls/users.ts";
import type { verificationCalls } from "#contract/calls/verification.ts";
import type { ExamplesOf } from "./example.ts";
import { AT, COMPLETED, ORDER_KEY, REFERENCE } from "./exchange.ts";
import {
  ACCESS_TOKEN,
  ACCOUNT,
  EMAIL,
  MAILED_CODE,
  PASSWORD,
  PUSH_BROWSER,
  PUSH_KEY,
  SESSION,
  SESSION_ID,
} from "./people.ts";
import { API_KEY } from "./programs.ts";

type AccountCall =
  | keyof typeof accountCalls
  | keyof typeof accountPushCalls
  | keyof typeof userCalls
  | keyof typeof verificationCalls;

const LAUNCH_DATA =
  "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Ann%22%7D&auth_date=1795262400&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2";
const SECOND_FACTOR_KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const DIGITS = "123456";
const RECOVERY_CODES = [
  "7KQ4-M2XD-9R3T-WB8E",
  "C5HN-0VJ6-YZ1A-GP4S",
  "3TVQ-8KD2-XN6R-JB0M",
  "W9FE-4HCA-7YP1-Z5GS",
  "M6XJ-1RTB-C8KQ-2DVN",
  "0PGA-9SWZ-5EHF-T3YR",
  "B7NC-K4MV-1QXJ-8D6E",
  "Y2RS-GZ0H-W3TP-F5AK",
  "6DJV-XB9N-0CME-Q7T1",
  "H8AY-5FKW-R2ZG-4SPC",
];
const photo = (name: string) => new File(["an image"], name, { type: "image/jpeg" });
const CSV = [
  "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Reference,Tx Ids",
  `2026-11-21T12:02:24.000Z,0.5,ETH,1555.548387,USDT,8.021113,USDT,${REFERENCE},${[...COMPLETED.deposits, ...COMPLETED.withdrawals].map(({ txId }) => txId).join(" ")}`,
  "",
].join("\r\n");

export const accountExamples: ExamplesOf<AccountCall> = {
  authenticateByTelegram: { body: { initData: LAUNCH_DATA }, answer: { accessToken: ACCESS_TOKEN, userId: 7 } },
  createByTelegram: { body: { initData: LAUNCH_DATA }, answer: { accessToken: ACCESS_TOKEN, userId: 7 } },
  accountData: { answer: ACCOUNT },
  logOut: { answer: {} },

  createLocal: { body: { email: EMAIL, password: PASSWORD, locale: "en" }, answer: {} },
  authenticateLocal: { body: { email: EMAIL, password: PASSWORD }, answer: {} },
  refresh: { body: {}, answer: {} },
  requestPasswordReset: { body: { email: EMAIL, locale: "en" }, answer: {} },
  resetPassword: { body: { email: EMAIL, password: PASSWORD, resetCode: MAILED_CODE }, answer: {} },
  linkTelegram: { body: { initData: LAUNCH_DATA }, answer: {} },
  unlinkTelegram: { answer: {} },
  reauthenticate: { body: { password: PASSWORD }, answer: { validUntil: "2026-11-21T12:10:00.000Z" } },
  sessions: { answer: [SESSION] },
  endSession: { body: { sessionId: SESSION_ID }, answer: {} },
  changePassword: { body: { password: PASSWORD }, answer: {} },
  changeEmail: { body: { email: EMAIL }, answer: {} },
  confirmEmail: { body: { code: MAILED_CODE }, answer: {} },
  beginSecondFactor: {
    answer: {
      secret: SECOND_FACTOR_KEY,
      uri: `otpauth://totp/Wherry:${encodeURIComponent(EMAIL)}?issuer=Wherry&secret=${SECOND_FACTOR_KEY}&algorithm=SHA1&digits=6&period=30`,
    },
  },
  confirmSecondFactor: {
    body: { code: DIGITS },
    answer: { recoveryCodes: RECOVERY_CODES },
  },
  removeSecondFactor: { answer: {} },
  claimOrders: { body: { orders: [ORDER_KEY] }, answer: { claimed: [ORDER_KEY.orderId] } },
  orderHistory: {
    query: { offset: "0", limit: "20", state: "COMPLETED", from: "2026-11-01" },
    answer: { items: [COMPLETED], total: 1 },
  },
  orderHistoryCsv: { query: { state: "COMPLETED", from: "2026-11-01" }, answer: CSV },
  exportAccount: {
    answer: {
      exportedAt: AT,
      account: ACCOUNT,
      telegramId: null,
      locale: "en",
      sessions: [SESSION],
      apiKeys: [API_KEY],
      verifications: [],
      orders: [
        {
          orderId: ORDER_KEY.orderId,
          reference: REFERENCE,
          state: "completed",
          rateMode: "FLOATING",
          instrumentFrom: "eth",
          instrumentTo: "usdt-erc20",
          userEmail: EMAIL,
          locale: "en",
          referrerId: null,
          utmData: null,
          destinationAddress: ORDER_KEY.destinationAddress,
          createdAt: AT,
          completedAt: "2026-11-21T12:02:24.000Z",
        },
      ],
      earnings: [],
      withdrawals: [],
      monthlyPayout: null,
      referrals: { referrerIds: [], clicks: [] },
      webhooks: [],
      partnerOrders: [],
      cardOrders: [],
      notifiedBrowsers: [],
    },
  },
  deleteAccount: { answer: {} },

  accountPush: { answer: { publicKey: PUSH_KEY, endpoint: null } },
  subscribeAccountPush: { body: PUSH_BROWSER, answer: { publicKey: PUSH_KEY, endpoint: PUSH_BROWSER.endpoint } },
  unsubscribeAccountPush: { answer: { isEndpointUsed: false } },

  submitVerification: {
    body: {
      firstName: "Ann",
      lastName: "Lund",
      issueCountry: "DE",
      birthDate: "1990-04-17",
      expireDate: "2031-02-28",
      identityType: "idcard",
      identityNumber: "L01X00T47",
      facePhoto: photo("face.jpg"),
      frontPhoto: photo("front.jpg"),
      backendPhoto: photo("back.jpg"),
    },
    answer: { status: "CREATED", rejectReason: null },
  },
  verificationStatus: { answer: { status: "REJECT", rejectReason: "document_unreadable" } },
};
