import type { accountCalls } from "#contract/calls/accounts.ts";
import type { apiKeyCalls } from "#contract/calls/api-keys.ts";
import { calls, type CallName } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { Caller, Handlers, Session, SessionCookies } from "../base/routes.ts";
import type { SecurityLog } from "../base/logging/security-log.ts";
import { deviceName } from "./sessions/device.ts";
import type { AccountClient, Accounts, OpenedSession } from "./port.ts";

/** Orders are claimed where orders are. */
type AccountCall =
  | "authenticateByTelegram"
  | "createByTelegram"
  | "accountData"
  | "logOut"
  | keyof typeof apiKeyCalls
  | Exclude<keyof typeof accountCalls, "claimOrders" | "orderHistory" | "orderHistoryCsv">;

type Given = { caller: Caller; cookies: SessionCookies; userAgent: string | null };

/** The calls about who somebody is (spec §7, Account). */
export function accountHandlers(accounts: Accounts, securityLog: SecurityLog): Pick<Handlers, AccountCall> {
  type AccountEvent =
    | "session.opened"
    | "session.ended"
    | "session.reused"
    | "api_key.created"
    | "api_key.changed"
    | "api_key.deleted"
    | "password.changed"
    | "email.changed";
  const fieldsOf = (userId: bigint, { key: client, traceId }: Caller, name: CallName) => ({
    client,
    route: calls[name].path,
    traceId,
    userId: userId.toString(),
  });
  const record = (event: AccountEvent, userId: bigint, caller: Caller, name: CallName) =>
    securityLog.record({ event, ...fieldsOf(userId, caller, name) });
  const recordSecondFactor = (to: "on" | "off", caller: Caller & { signedIn: Session }, name: CallName) =>
    securityLog.record({ event: "second-factor.changed", ...fieldsOf(caller.signedIn.userId, caller, name), to });
  const recordTelegram = (to: "linked" | "unlinked", caller: Caller & { signedIn: Session }, name: CallName) =>
    securityLog.record({ event: "telegram.changed", ...fieldsOf(caller.signedIn.userId, caller, name), to });

  const answer = ({ accessToken, userId }: OpenedSession, caller: Caller, name: AccountCall) => {
    record("session.opened", userId, caller, name);
    return { accessToken, userId: Number(userId) };
  };

  return {
    authenticateByTelegram: async ({ body, ...given }) =>
      answer(await accounts.authenticateLaunch(body, clientOf(given)), given.caller, "authenticateByTelegram"),
    createByTelegram: async ({ body, ...given }) =>
      answer(await accounts.createByLaunch(body, clientOf(given)), given.caller, "createByTelegram"),
    accountData: ({ caller }) => accounts.accountData(caller.signedIn.userId),
    async logOut({ caller, cookies }) {
      const { userId, sessionId } = caller.signedIn;
      await accounts.endSession(caller.signedIn, sessionId);
      cookies.clear();
      record("session.ended", userId, caller, "logOut");
      return {};
    },

    async createLocal({ body, ...given }) {
      await accounts.createLocal(body, clientOf(given));
      return {};
    },
    async authenticateLocal({ body, ...given }) {
      const { userId, tokens, browser, accessToken } = await accounts.authenticateLocal(body, clientOf(given));
      given.cookies.set(tokens);
      if (browser !== null) given.cookies.setBrowser(browser);
      record("session.opened", userId, given.caller, "authenticateLocal");
      return accessToken === null ? {} : { accessToken };
    },
    async refresh({ cookies, caller }) {
      const refreshed = await accounts.refresh(cookies.refresh);
      if ("tokens" in refreshed) {
        cookies.set(refreshed.tokens);
        return {};
      }
      if (refreshed.reusedBy !== null) record("session.reused", refreshed.reusedBy, caller, "refresh");
      cookies.clear();
      throw new CodedError("ERR_UNAUTHORIZED", "Sign in again");
    },
    async requestPasswordReset({ body, ...given }) {
      await accounts.requestPasswordReset(body.email, clientOf(given));
      return {};
    },
    async resetPassword({ body, ...given }) {
      const userId = await accounts.resetPassword(body, clientOf(given));
      record("password.changed", userId, given.caller, "resetPassword");
      return {};
    },

    sessions: ({ caller }) => accounts.sessions(caller.signedIn),
    async endSession({ body, caller }) {
      const hasEnded = await accounts.endSession(caller.signedIn, body.sessionId);
      if (hasEnded) record("session.ended", caller.signedIn.userId, caller, "endSession");
      return {};
    },
    reauthenticate: async ({ body, ...given }) => ({
      validUntil: (await accounts.reauthenticate(given.caller.signedIn, body, clientOf(given))).toISOString(),
    }),
    async changePassword({ body, ...given }) {
      await accounts.changePassword(given.caller.signedIn, body.password, clientOf(given));
      record("password.changed", given.caller.signedIn.userId, given.caller, "changePassword");
      return {};
    },
    async changeEmail({ body, ...given }) {
      await accounts.changeEmail(given.caller.signedIn, body.email, clientOf(given));
      return {};
    },
    async confirmEmail({ body, ...given }) {
      await accounts.confirmEmail(given.caller.signedIn, body.code, clientOf(given));
      record("email.changed", given.caller.signedIn.userId, given.caller, "confirmEmail");
      return {};
    },
    beginSecondFactor: ({ caller }) => accounts.beginSecondFactor(caller.signedIn),
    async confirmSecondFactor({ body, caller }) {
      const recoveryCodes = await accounts.confirmSecondFactor(caller.signedIn, body.code);
      recordSecondFactor("on", caller, "confirmSecondFactor");
      return { recoveryCodes };
    },
    async removeSecondFactor({ caller }) {
      if (await accounts.removeSecondFactor(caller.signedIn)) recordSecondFactor("off", caller, "removeSecondFactor");
      return {};
    },
    async linkTelegram({ body, caller }) {
      if (await accounts.linkTelegram(caller.signedIn, body.initData)) recordTelegram("linked", caller, "linkTelegram");
      return {};
    },
    async unlinkTelegram({ caller }) {
      if (await accounts.unlinkTelegram(caller.signedIn)) recordTelegram("unlinked", caller, "unlinkTelegram");
      return {};
    },
    listApiKeys: ({ caller }) => accounts.listApiKeys(caller.signedIn),
    async generateApiKey({ body, caller }) {
      const made = await accounts.generateApiKey(caller.signedIn, body);
      record("api_key.created", caller.signedIn.userId, caller, "generateApiKey");
      return made;
    },
    async updateApiKey({ body, caller }) {
      const key = await accounts.updateApiKey(caller.signedIn, body);
      record("api_key.changed", caller.signedIn.userId, caller, "updateApiKey");
      return key;
    },
    async deleteApiKey({ body, caller }) {
      await accounts.deleteApiKey(caller.signedIn, body.apiId);
      record("api_key.deleted", caller.signedIn.userId, caller, "deleteApiKey");
      return {};
    },
    exportAccount: ({ caller }) => accounts.exportAccount(caller.signedIn),
    async deleteAccount({ caller, cookies }) {
      await accounts.deleteAccount(caller.signedIn);
      cookies.clear();
      record("session.ended", caller.signedIn.userId, caller, "deleteAccount");
      return {};
    },
  };
}

const clientOf = ({ caller, cookies, userAgent }: Given): AccountClient => ({
  prefix: caller.key,
  network: caller.network ?? null,
  device: deviceName(userAgent),
  browser: cookies.browser,
});
