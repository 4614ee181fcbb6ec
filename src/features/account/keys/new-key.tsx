import { useTranslation } from "react-i18next";
import type { GeneratedApiKey } from "#contract/api-keys.ts";
import { AccountIcon, Button, CopyIconButton, ForeignText } from "../../../shared/ui/index.ts";

type NewKeyProps = { readonly made: GeneratedApiKey; readonly onDone: () => void };

/** A key that was just made: its secret is never seen again (contract §8). */
export function NewKey({ made: { name, publicKey, secretKey }, onDone }: NewKeyProps) {
  const { t } = useTranslation("account");
  return (
    <section className="w-keys__new" role="status" aria-labelledby="new-key">
      <AccountIcon name="key" />
      <div className="w-keys__text">
        <h2 id="new-key" className="w-keys__new-title">
          {t("keys.made")}
        </h2>
        <p className="w-profile__row-note">{t("keys.madeText", { name })}</p>
      </div>
      <CopyLine label={t("keys.public")} copyLabel={t("keys.copyPublic")} value={publicKey} />
      <CopyLine label={t("keys.secret")} copyLabel={t("keys.copySecret")} value={secretKey} />
      <Button variant="plain" onClick={onDone}>
        {t("keys.saved")}
      </Button>
    </section>
  );
}

type CopyLineProps = { readonly label: string; readonly copyLabel: string; readonly value: string };

function CopyLine({ label, copyLabel, value }: CopyLineProps) {
  const { t } = useTranslation("account");
  return (
    <div className="w-keys__value">
      <div className="w-keys__text">
        <p className="w-keys__label">{label}</p>
        <p className="w-mono">
          <ForeignText>{value}</ForeignText>
        </p>
      </div>
      <CopyIconButton
        value={value}
        label={copyLabel}
        copiedLabel={t("info.copied")}
        failedLabel={t("info.notCopied")}
      />
    </div>
  );
}
