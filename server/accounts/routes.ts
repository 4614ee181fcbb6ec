import type { Handlers } from "../base/routes.ts";
import type { Accounts, OpenedSession } from "./port.ts";

type AccountCall = "authenticateByTelegram" | "createByTelegram" | "accountData" | "logOut";

const answer = ({ accessToken, userId }: OpenedSession) => ({ accessToken, userId: Number(userId) });

/** The calls about who somebody is (spec §7, Account). */
export const accountHandlers = (accounts: Accounts): Pick<Handlers, AccountCall> => ({
  authenticateByTelegram: async ({ body }) => answer(await accounts.authenticateLaunch(body.initData)),
  createByTelegram: async ({ body }) => answer(await accounts.createByLaunch(body.initData)),
  accountData: ({ caller }) => accounts.accountData(caller.signedIn.userId),
  async logOut({ caller }) {
    await accounts.logOut(caller.signedIn.accessToken);
    return { isLoggedOut: true };
  },
});
