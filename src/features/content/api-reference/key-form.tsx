import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { TextField } from "../../../shared/ui/index.ts";
import type { ApiKeyPair } from "./sign-call.ts";

type KeyFormProps = { readonly apiKey: ApiKeyPair; readonly onKey: (key: ApiKeyPair) => void };

/** The key that signs what is tried on this page. It stays in the page's memory. */
export function KeyForm({ apiKey, onKey }: KeyFormProps) {
  const { t } = useTranslation("api");
  return (
    <section className="w-reference__key" aria-labelledby="try-key">
      <h2 id="try-key">{t("try.title")}</h2>
      <p className="w-reference__note">
        {t("try.keyText")} <Link href="/profile/keys">{t("try.keys")}</Link>
      </p>
      <TextField
        id="try-public-key"
        name="try-public-key"
        mono
        label={t("try.publicKey")}
        placeholder="wk_…"
        value={apiKey.publicKey}
        onValue={(publicKey) => onKey({ ...apiKey, publicKey: publicKey.trim() })}
      />
      <TextField
        id="try-secret-key"
        name="try-secret-key"
        type="password"
        mono
        label={t("try.secretKey")}
        hint={t("try.memory")}
        value={apiKey.secretKey}
        onValue={(secretKey) => onKey({ ...apiKey, secretKey: secretKey.trim() })}
      />
    </section>
  );
}
