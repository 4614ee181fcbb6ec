import { CodedError } from "#contract/errors.ts";
import { createAccountChanges } from "./account-changes.ts";
import { createAccountEnd } from "./account-end.ts";
import { createApiKeys } from "./api-keys.ts";
import { createLocalAccounts } from "./local/local.ts";
import { createPasswordReset } from "./local/password-reset.ts";
import type { AccountParts, Accounts } from "./port.ts";
import { createTelegramSignIn } from "./telegram/telegram.ts";
import { createAccountTools } from "./tools.ts";
import { accountDataOf, requireUser } from "./users.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BROWSER_DAYS = 365;

export function createAccounts(parts: AccountParts): Accounts {
  const { database, clock } = parts;
  const { kysely } = database;
  const tools = createAccountTools(parts);
  const { sessions, attempts } = tools;
  const { read, ...telegram } = createTelegramSignIn(parts, tools);
  const apiKeys = createApiKeys(parts);
  const local = createLocalAccounts(parts, tools);

  return {
    ...telegram,
    createLocal: (body, client) => local.create(body, client),
    async authenticateLocal(body, client) {
      // Judged first: who is refused by it opens no session.
      if (body.initData != null) read(body.initData);
      const session = await local.authenticate(body, client);
      const accessToken = body.initData == null ? null : await sessions.addBearer(session.sessionId);
      return { ...session, accessToken };
    },
    async refresh(refreshToken) {
      const refreshed = refreshToken === null ? null : await sessions.refresh(refreshToken);
      if (refreshed?.kind === "refreshed") return refreshed;
      return { kind: "refused", reusedBy: refreshed?.kind === "reused" ? refreshed.userId : null };
    },
    ...createPasswordReset(parts, tools),
    authenticateToken: (accessToken) => sessions.find(accessToken),
    accountData: async (userId) => accountDataOf(await requireUser(kysely, userId)),
    sessions: ({ userId, sessionId }) => sessions.list(userId, sessionId),
    async endSession({ userId }, sessionId) {
      if (!UUID.test(sessionId)) throw new CodedError("ERR_NOT_FOUND", "There is no such session");
      return sessions.end(sessionId, userId);
    },
    ...createAccountChanges(parts, tools, { read }),
    ...apiKeys,
    ...createAccountEnd(parts, tools, apiKeys),
    async prune() {
      await sessions.prune();
      await attempts.prune();
      await kysely
        .deleteFrom("known_browsers")
        .where("used_at", "<", new Date(clock.now().getTime() - BROWSER_DAYS * 86_400_000))
        .execute();
    },
  };
}
