import { useTranslation } from "react-i18next";
import { TextField } from "../../../shared/ui/index.ts";
import { accentTokens } from "../model/accent.ts";
import type { Hex } from "../../../shared/ui/graphics/colour.ts";

type AccentChoiceProps = {
  readonly value: string;
  /** What of it is a colour. */
  readonly accent: Hex | null;
  readonly onValue: (text: string) => void;
};

const APPEARANCES = ["light", "dark"] as const;

/** The site's colour, and what the widget makes of it so that it can be read. */
export function AccentChoice({ value, accent, onValue }: AccentChoiceProps) {
  const { t } = useTranslation("widget");
  const shown = accent === null ? [] : APPEARANCES.map((appearance) => accentTokens(accent, appearance)["--accent"]);
  const isChanged = shown.some((colour) => colour !== accent);
  return (
    <div className="w-widget__accent">
      <TextField
        id="widget-accent"
        name="accent"
        label={t("form.accent")}
        placeholder="#0a746f"
        hint={isChanged ? t("form.accentChanged", { light: shown[0], dark: shown[1] }) : t("form.accentHint")}
        error={value !== "" && accent === null ? t("form.accentWrong") : null}
        value={value}
        onValue={onValue}
        maxLength={7}
        mono
      />
      <input
        type="color"
        className="w-widget__colour"
        aria-label={t("form.accentPick")}
        value={accent ?? "#0a746f"}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
}
