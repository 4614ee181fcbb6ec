import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountSession } from "#contract/accounts/account.ts";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import { formatAge } from "../../../shared/format/format-time.ts";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { Section, Skeleton } from "../../../shared/ui/index.ts";
import { endAccountSession, useSessions } from "../api.ts";
import { Row } from "../../../shared/account/row.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";

/** Where the account is signed in; every other place can be signed out. */
export function SessionsList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation("account");
  const sessions = useSessions(userId);
  const { data, hasFailed, reload } = sessions;
  return (
    <Section title={t("sessions.title")}>
      <SeenNote of={[sessions]} />
      {data === undefined && !hasFailed ? <Skeleton width="100%" height={44} /> : null}
      {data?.map((session) => (
        <SessionRow key={session.sessionId} session={session} onEnded={() => void reload()} />
      ))}
    </Section>
  );
}

type SessionRowProps = { readonly session: AccountSession; readonly onEnded: () => void };

function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useTranslation("account");
  const { t: time } = useTranslation("common");
  const request = useRequest();
  const [now] = useState(() => serverNow());
  const age = formatAge(time, Math.max(0, (now - Date.parse(session.lastUsedAt)) / 1_000));
  const end = async () => {
    if (await request.run(() => endAccountSession(session.sessionId))) onEnded();
  };
  const ending = {
    action: t("sessions.end"),
    onAction: () => void end(),
    busyLabel: request.isPending ? t("sessions.ending") : null,
  };
  const when = session.isCurrent ? t("sessions.current") : age;
  return (
    <Row
      title={session.device ?? t("sessions.unknown")}
      text={`${session.kind === "TELEGRAM" ? "Telegram" : t("sessions.web")} · ${when}`}
      failure={request.failure}
      {...(session.isCurrent ? {} : ending)}
    />
  );
}
