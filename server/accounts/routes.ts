import { calls } from "#contract/calls.ts";
import type { accountCalls } from "#contract/calls/accounts.ts";
import { CodedError } from "#contract/errors.ts";
import type { Caller, Handlers } from "../base/routes.ts";
import type { SecurityLog } from "../base/logging/security-log.ts";
import type { Accounts, OpenedSession } from "./port.ts";

type AccountCall = "authenticateByTelegram" | "createByTelegram" | "accountData" | "logOut" | keyof typeof accountCalls;

const notOffered = (): never => {
  throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Accounts with an email are not offered yet");
};

/** The calls about who somebody is (spec §7, Account). */
export function accountHandlers(accounts: Accounts, securityLog: SecurityLog): Pick<Handlers, AccountCall> {
  const record = (
    event: "session.opened" | "session.ended",
    userId: bigint,
    { key: client, traceId }: Caller,
    name: AccountCall,
  ) => securityLog.record({ event, client, route: calls[name].path, traceId, userId: userId.toString() });

  const answer = ({ accessToken, userId }: OpenedSession, caller: Caller, name: AccountCall) => {
    record("session.opened", userId, caller, name);
    return { accessToken, userId: Number(userId) };
  };

  return {
    authenticateByTelegram: async ({ body, caller }) =>
      answer(await accounts.authenticateLaunch(body.initData), caller, "authenticateByTelegram"),
    createByTelegram: async ({ body, caller }) =>
      answer(await accounts.createByLaunch(body.initData), caller, "createByTelegram"),
    accountData: ({ caller }) => accounts.accountData(caller.signedIn.userId),
    async logOut({ caller }) {
      await accounts.logOut(caller.signedIn.accessToken);
      record("session.ended", caller.signedIn.userId, caller, "logOut");
      return {};
    },
    createLocal: notOffered,
    authenticateLocal: notOffered,
    refresh: notOffered,
    requestPasswordReset: notOffered,
    resetPassword: notOffered,
    linkTelegram: notOffered,
    reauthenticate: notOffered,
    sessions: notOffered,
    endSession: notOffered,
    changePassword: notOffered,
    changeEmail: notOffered,
    confirmEmail: notOffered,
    beginSecondFactor: notOffered,
    confirmSecondFactor: notOffered,
    removeSecondFactor: notOffered,
    claimOrders: notOffered,
    exportAccount: notOffered,
    deleteAccount: notOffered,
  };
}
