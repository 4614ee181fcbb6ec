import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type ApiKey, type GeneratedApiKey, MAX_API_KEYS } from "#contract/accounts/api-keys.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { BottomBar, PrimaryAction, Section, Skeleton } from "../../../shared/ui/index.ts";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { useDialogState } from "../profile/use-dialog-state.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { KeyCard } from "./key-card.tsx";
import { deleteKey, useApiKeys } from "./api.ts";
import { KeyDialog } from "./key-dialog.tsx";
import { ListTitle } from "./list-title.tsx";
import { CopyLine, SecretCard } from "./secret-card.tsx";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";
import "./keys.css";

/** `/profile/keys` (spec §2): the account's API keys; the list is loaded anew after each change (spec §4). */
export function KeysPage({ account: { userId } }: Pick<ProfilePageProps, "account">) {
  const { t } = useTranslation("account");
  const isOnline = useOnline();
  const keys = useApiKeys(userId);
  const [made, setMade] = useState<GeneratedApiKey | null>(null);
  const dialog = useDialogState();
  const [form, setForm] = useState<ApiKey | "new">("new");
  const openForm = (of: ApiKey | "new") => {
    setForm(of);
    dialog.open();
  };
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const list = keys.data ?? [];
  const isFull = list.length >= MAX_API_KEYS;
  return (
    <>
      <p className="w-profile__lead">{t("keys.lead")}</p>
      <SeenNote of={[keys]} />
      {made === null ? null : <NewKey made={made} onDone={() => setMade(null)} />}
      {keys.data === undefined && !keys.hasFailed ? <Skeleton width="100%" height={112} /> : null}
      {keys.data === undefined ? null : (
        <Section
          title={<ListTitle title={t("keys.title")} count={t("keys.count", { n: list.length, max: MAX_API_KEYS })} />}
          footer={t(isFull ? "keys.full" : "keys.rotate")}
        >
          {list.length === 0 ? (
            <p className="w-profile__row-note">{t("keys.none")}</p>
          ) : (
            <ul className="w-keys">
              {list.map((key) => (
                <KeyCard
                  key={key.apiId}
                  apiKey={key}
                  onEdit={() => openForm(key)}
                  onDelete={() => setLeaving(key)}
                  reload={keys.reload}
                />
              ))}
            </ul>
          )}
        </Section>
      )}
      <WebhooksSection userId={userId} />
      <BottomBar>
        <PrimaryAction
          stretched
          disabled={isFull || !isOnline || keys.data === undefined}
          onClick={() => openForm("new")}
        >
          {t(isOnline ? "keys.create" : "failed.offline")}
        </PrimaryAction>
      </BottomBar>
      <KeyDialog
        key={dialog.key}
        open={dialog.isOpen}
        form={form}
        onClose={dialog.close}
        onDone={(key) => {
          dialog.close();
          if (key !== null) setMade(key);
          void keys.reload();
        }}
      />
      <DeleteDialog
        onDelete={leaving && (() => deleteKey(leaving.apiId))}
        title={t("keys.delete.title")}
        message={t("keys.delete.text", { name: leaving?.name ?? "" })}
        submitLabel={t("keys.delete.submit")}
        doneMessage={t("keys.key_page_delete_key_success")}
        onClose={() => setLeaving(null)}
        onDeleted={() => {
          setLeaving(null);
          if (made?.apiId === leaving?.apiId) setMade(null);
        }}
        // A key that is gone already fails too.
        onTried={keys.reload}
      />
    </>
  );
}

type NewKeyProps = { readonly made: GeneratedApiKey; readonly onDone: () => void };

/** A key that was just made. */
function NewKey({ made: { name, publicKey, secretKey }, onDone }: NewKeyProps) {
  const { t } = useTranslation("account");
  return (
    <SecretCard title={t("keys.made")} text={t("keys.madeText", { name })} savedLabel={t("keys.saved")} onDone={onDone}>
      <CopyLine label={t("keys.public")} copyLabel={t("keys.copyPublic")} value={publicKey} />
      <CopyLine label={t("keys.secret")} copyLabel={t("keys.copySecret")} value={secretKey} />
    </SecretCard>
  );
}
