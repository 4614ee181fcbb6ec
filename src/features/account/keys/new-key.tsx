import { useTranslation } from "react-i18next";
import type { GeneratedApiKey } from "#contract/accounts/api-keys.ts";
import { CopyLine, SecretCard } from "./secret-card.tsx";

type NewKeyProps = { readonly made: GeneratedApiKey; readonly onDone: () => void };

/** A key that was just made. */
export function NewKey({ made: { name, publicKey, secretKey }, onDone }: NewKeyProps) {
  const { t } = useTranslation("account");
  return (
    <SecretCard title={t("keys.made")} text={t("keys.madeText", { name })} savedLabel={t("keys.saved")} onDone={onDone}>
      <CopyLine label={t("keys.public")} copyLabel={t("keys.copyPublic")} value={publicKey} />
      <CopyLine label={t("keys.secret")} copyLabel={t("keys.copySecret")} value={secretKey} />
    </SecretCard>
  );
}
