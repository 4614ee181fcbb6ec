import { useState } from "react";
import { useTranslation } from "react-i18next";
import { THEMES, type Theme } from "../../../shared/browser/theme.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { LOCALE_NAMES, LOCALES, type Locale } from "#contract/locale.ts";
import { usePageData } from "../../../shared/page/page-context.ts";
import { Checkbox, SegmentedControl, TextField, SelectField } from "../../../shared/ui/index.ts";
import type { WidgetPageData, WidgetCoin } from "../load.ts";
import { readWidgetQuery, type WidgetSettings, writeWidgetQuery } from "../model/widget-settings.ts";
import { AccentChoice } from "./accent-choice.tsx";
import { Preview } from "./preview.tsx";
import { LabelledChoice } from "./labelled-choice.tsx";
import { SnippetCard } from "./snippet-card.tsx";

/** What is typed; what is not valid stays here and is left out of the widget. */
type Draft = {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly ref: string;
  readonly theme: Theme;
  readonly accent: string;
  readonly lang: Locale;
  readonly isCompact: boolean;
  readonly isOnePair: boolean;
};

/** The choices at the left, the widget as they make it at the right, and its code below. */
export function Configurator() {
  const { t } = useTranslation("widget");
  const { coins, pairs, first } = usePageData<WidgetPageData>();
  const lang = useLocale();
  const [draft, setDraft] = useState<Draft>(() => ({
    ...first,
    amount: "",
    ref: "",
    theme: "system",
    accent: "",
    lang,
    isCompact: false,
    isOnePair: false,
  }));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const settings = settingsOf(draft);
  const gets = pairs.find(({ from }) => from === draft.from)?.to ?? [];
  const chooseFrom = (from: string) => {
    const offered = pairs.find((pair) => pair.from === from)?.to ?? [];
    change({ from, to: offered.includes(draft.to) ? draft.to : (offered[0] ?? draft.to) });
  };
  return (
    <section className="w-widget__configurator" aria-label={t("form.label")}>
      <form className="w-widget__form" onSubmit={(event) => event.preventDefault()}>
        <CoinChoice
          id="widget-from"
          label={t("form.from")}
          coins={coins.filter(({ slug }) => pairs.some(({ from }) => from === slug))}
          value={draft.from}
          onValue={chooseFrom}
        />
        <CoinChoice
          id="widget-to"
          label={t("form.to")}
          coins={coins.filter(({ slug }) => gets.includes(slug))}
          value={draft.to}
          onValue={(to) => change({ to })}
        />
        <TextField
          id="widget-amount"
          name="amount"
          label={t("form.amount")}
          hint={t("form.amountHint")}
          inputMode="decimal"
          value={draft.amount}
          onValue={(amount) => change({ amount })}
          error={draft.amount !== "" && settings.amount === null ? t("form.amountWrong") : null}
          maxLength={40}
        />
        <TextField
          id="widget-ref"
          name="ref"
          label={t("form.ref")}
          hint={t("form.refHint")}
          value={draft.ref}
          onValue={(ref) => change({ ref })}
          maxLength={128}
        />
        <LabelledChoice text={t("form.theme")}>
          <SegmentedControl<Theme>
            name="widget-theme"
            label={t("form.theme")}
            value={draft.theme}
            options={THEMES.map((theme) => ({ value: theme, label: t(`form.themes.${theme}`) }))}
            onValue={(theme) => change({ theme })}
          />
        </LabelledChoice>
        <LabelledChoice text={t("form.lang")}>
          <SegmentedControl<Locale>
            name="widget-lang"
            label={t("form.lang")}
            value={draft.lang}
            options={LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] }))}
            onValue={(chosen) => change({ lang: chosen })}
          />
        </LabelledChoice>
        <AccentChoice value={draft.accent} accent={settings.accent} onValue={(accent) => change({ accent })} />
        <Checkbox
          checked={draft.isCompact}
          label={t("form.compact")}
          onChecked={(isCompact) => change({ isCompact })}
        />
        <Checkbox
          checked={draft.isOnePair}
          label={t("form.onePair")}
          onChecked={(isOnePair) => change({ isOnePair })}
        />
      </form>
      <Preview settings={settings} />
      <SnippetCard settings={settings} />
    </section>
  );
}

/** As the widget itself will read them. */
const settingsOf = ({ isOnePair, accent, ...draft }: Draft): WidgetSettings => {
  const query = writeWidgetQuery({ ...draft, pairs: isOnePair ? [`${draft.from}-${draft.to}`] : [] });
  query.set("accent", accent);
  return readWidgetQuery(query);
};

type CoinChoiceProps = {
  readonly id: string;
  readonly label: string;
  readonly coins: readonly WidgetCoin[];
  readonly value: string;
  readonly onValue: (slug: string) => void;
};

/** One of the coins, with its network. */
const CoinChoice = ({ id, label, coins, value, onValue }: CoinChoiceProps) => (
  <SelectField
    id={id}
    label={label}
    options={coins.map(({ slug, name }) => ({ value: slug, label: name }))}
    value={value}
    onValue={onValue}
  />
);
