import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_WEBHOOKS, type Webhook, type WebhookWithSecret } from "#contract/webhooks.ts";
import { SeenNote } from "../../../../shared/account/seen-note.tsx";
import { useOnline } from "../../../../shared/browser/connectivity.ts";
import { Button, Section, Skeleton } from "../../../../shared/ui/index.ts";
import { useDialogState } from "../../profile/use-dialog-state.ts";
import { CopyLine, SecretCard } from "../secret-card.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { ListTitle } from "../list-title.tsx";
import { NewWebhookDialog } from "./new-webhook-dialog.tsx";
import { deleteWebhook, useWebhooks } from "./api.ts";
import { WebhookCard } from "./webhook-card.tsx";
import "./webhooks.css";

/** Where the account's programs are notified of their orders, and what they were sent (contract §13). */
export function WebhooksSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation("webhooks");
  const { t: account } = useTranslation("account");
  const isOnline = useOnline();
  const webhooks = useWebhooks(userId);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const adding = useDialogState();
  const [leaving, setLeaving] = useState<Webhook | null>(null);
  const list = webhooks.data ?? [];
  const isFull = list.length >= MAX_WEBHOOKS;
  const isShown = webhooks.data !== undefined;
  return (
    <>
      <SeenNote of={[webhooks]} />
      {made === null ? null : (
        <SecretCard
          title={t("made")}
          text={t("madeText", { url: made.url })}
          savedLabel={account("keys.saved")}
          onDone={() => setMade(null)}
        >
          <CopyLine label={account("keys.secret")} copyLabel={account("keys.copySecret")} value={made.secret} />
        </SecretCard>
      )}
      {!isShown && !webhooks.hasFailed ? <Skeleton width="100%" height={112} /> : null}
      {isShown ? (
        <Section
          title={<ListTitle title={t("title")} count={t("count", { n: list.length, max: MAX_WEBHOOKS })} />}
          footer={isFull ? t("full") : t("text")}
        >
          {list.length === 0 ? (
            <p className="w-profile__row-note">{t("none")}</p>
          ) : (
            <ul className="w-keys">
              {list.map((webhook) => (
                <WebhookCard key={webhook.id} userId={userId} webhook={webhook} onDelete={() => setLeaving(webhook)} />
              ))}
            </ul>
          )}
          <div className="w-webhooks__add">
            <Button variant="soft" stretched disabled={isFull || !isOnline} onClick={adding.open}>
              {isOnline ? t("add") : account("failed.offline")}
            </Button>
          </div>
        </Section>
      ) : null}
      <NewWebhookDialog
        key={adding.key}
        open={adding.isOpen}
        onClose={adding.close}
        onMade={(webhook) => {
          adding.close();
          setMade(webhook);
          void webhooks.reload();
        }}
      />
      <DeleteDialog
        onDelete={leaving && (() => deleteWebhook(leaving.id))}
        title={t("delete.title")}
        message={t("delete.text", { url: leaving?.url ?? "" })}
        submitLabel={t("delete.submit")}
        doneMessage={t("deleted")}
        onClose={() => setLeaving(null)}
        onDeleted={() => {
          setLeaving(null);
          if (made?.id === leaving?.id) setMade(null);
          void webhooks.reload();
        }}
      />
    </>
  );
}
