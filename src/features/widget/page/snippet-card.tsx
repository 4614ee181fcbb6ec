import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { CopyButton, SegmentedControl } from "../../../shared/ui/index.ts";
import { SNIPPETS, type SnippetKind, snippetOf } from "../model/snippets.ts";
import type { WidgetSettings } from "../model/widget-settings.ts";

const NAMES: Record<SnippetKind, string> = { html: "HTML", react: "React", wordpress: "WordPress" };

/** The code for the site's page. */
export function SnippetCard({ settings }: { readonly settings: WidgetSettings }) {
  const { t } = useTranslation("widget");
  const [kind, setKind] = useState<SnippetKind>("html");
  const origin = useHydrated() ? location.origin : "";
  const code = snippetOf(kind, settings, origin);
  return (
    <div className="w-widget__snippet">
      <h2>{t("code.title")}</h2>
      <SegmentedControl<SnippetKind>
        name="widget-code"
        label={t("code.kind")}
        value={kind}
        options={SNIPPETS.map((value) => ({ value, label: NAMES[value] }))}
        onValue={setKind}
      />
      <p>{t(`code.${kind}`)}</p>
      <pre className="w-widget__code">
        <code>{code}</code>
      </pre>
      <CopyButton
        value={code}
        label={t("code.copy")}
        copiedLabel={t("code.copied")}
        failedLabel={t("code.notCopied")}
      />
    </div>
  );
}
