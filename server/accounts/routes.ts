import type { accountCalls } from "#contract/calls/accounts.ts";
import { calls, type CallName } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { Caller, Handlers, SessionCookies } from "../base/routes.ts";
import type { SecurityLog } from "../base/logging/security-log.ts";
import { deviceName } from "./device.ts";
import type { AccountClient, Accounts, OpenedSession } from "./port.ts";

/** Orders are claimed where orders are. */
type AccountCall =
  | "authenticateByTelegram"
  | "createByTelegram"
  | "accountData"
  | "logOut"
  | Exclude<keyof typeof accountCalls, "claimOrders">;

type Given = { caller: Caller; cookies: SessionCookies; userAgent: string | null };

/** The calls about who somebody is (spec §7, Account). */
export function accountHandlers(accounts: Accounts, securityLog: SecurityLog): Pick<Handlers, AccountCall> {
  type SessionEvent = "session.opened" | "session.ended" | "session.reused";
  const record = (event: SessionEvent, userId: bigint, { key: client, traceId }: Caller, name: CallName) =>
    securityLog.record({ event, client, route: calls[name].path, traceId, userId: userId.toString() });

  const answer = ({ accessToken, userId }: OpenedSession, caller: Caller, name: AccountCall) => {
    record("session.opened", userId, caller, name);
    return { accessToken, userId: Number(userId) };
  };

  return {
    authenticateByTelegram: async ({ body, caller, userAgent }) =>
      answer(await accounts.authenticateLaunch(body, deviceName(userAgent)), caller, "authenticateByTelegram"),
    createByTelegram: async ({ body, caller, userAgent }) =>
      answer(await accounts.createByLaunch(body, deviceName(userAgent)), caller, "createByTelegram"),
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
    async requestPasswordReset({ body }) {
      await accounts.requestPasswordReset(body.email);
      return {};
    },
    async resetPassword({ body, ...given }) {
      await accounts.resetPassword(body, clientOf(given));
      return {};
    },

    sessions: ({ caller }) => accounts.sessions(caller.signedIn),
    async endSession({ body, caller }) {
      await accounts.endSession(caller.signedIn, body.sessionId);
      record("session.ended", caller.signedIn.userId, caller, "endSession");
      return {};
    },
    reauthenticate: async ({ body, ...given }) => ({
      validUntil: (await accounts.reauthenticate(given.caller.signedIn, body, clientOf(given))).toISOString(),
    }),
    async changePassword({ body, ...given }) {
      await accounts.changePassword(given.caller.signedIn, body.password, clientOf(given));
      return {};
    },
    async changeEmail({ body, caller }) {
      await accounts.changeEmail(caller.signedIn, body.email);
      return {};
    },
    async confirmEmail({ body, ...given }) {
      await accounts.confirmEmail(given.caller.signedIn, body.code, clientOf(given));
      return {};
    },
    beginSecondFactor: ({ caller }) => accounts.beginSecondFactor(caller.signedIn),
    confirmSecondFactor: async ({ body, caller }) => ({
      recoveryCodes: await accounts.confirmSecondFactor(caller.signedIn, body.code),
    }),
    async removeSecondFactor({ caller }) {
      await accounts.removeSecondFactor(caller.signedIn);
      return {};
    },
    async linkTelegram({ body, caller }) {
      await accounts.linkTelegram(caller.signedIn, body.initData);
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
  prefix: caller.network ?? caller.key,
  device: deviceName(userAgent),
  browser: cookies.browser,
});
