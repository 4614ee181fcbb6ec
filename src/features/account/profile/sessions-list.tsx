import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountSession } from "#contract/account.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { Button, Note, Section, Skeleton } from "../../../shared/ui/index.ts";
import { endAccountSession, useSessions } from "../profile-calls.ts";
import { Row } from "./row.tsx";
import { useRequest } from "./use-request.ts";

/** Where the account is signed in; every other place can be signed out. */
export function SessionsList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation("account");
  const { data, error, mutate, isValidating } = useSessions(userId);
  const hasFailed = error !== undefined && data === undefined;
  return (
    <Section title={t("sessions.title")}>
      {data === undefined && !hasFailed ? <Skeleton width="100%" height={44} /> : null}
      {hasFailed ? (
        <Note
          tone="danger"
          title={t("sessions.failed")}
          action={
            <Button
              variant="soft"
              onClick={() => void mutate()}
              busyLabel={isValidating ? t("sessions.loading") : null}
            >
              {t("sessions.retry")}
            </Button>
          }
        />
      ) : null}
      {data?.map((session) => (
        <SessionRow key={session.sessionId} session={session} onEnded={() => void mutate()} />
      ))}
    </Section>
  );
}

type SessionRowProps = { readonly session: AccountSession; readonly onEnded: () => void };

function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useTranslation("account");
  const { t: time } = useTranslation("common");
  const request = useRequest();
  const [now] = useState(() => Date.now());
  const age = formatAge(time, Math.max(0, (now - Date.parse(session.lastUsedAt)) / 1_000));
  const end = async () => {
    if (await request.run(() => endAccountSession(session.sessionId))) onEnded();
  };
  const ending = {
    action: t("sessions.end"),
    onAction: () => void end(),
    busyLabel: request.isPending ? t("sessions.ending") : null,
  };
  const when = session.isCurrent ? t("sessions.current") : (request.failure ?? age);
  return (
    <Row
      title={session.device ?? t("sessions.unknown")}
      text={`${session.kind === "TELEGRAM" ? "Telegram" : t("sessions.web")} · ${when}`}
      {...(session.isCurrent ? {} : ending)}
    />
  );
}
