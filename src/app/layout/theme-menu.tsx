import { useTranslation } from "react-i18next";
import { setTheme, type Theme, THEMES, useTheme } from "../../shared/browser/theme.ts";
import { Icon, type IconName } from "../../shared/ui/index.ts";
import { Menu } from "./menu.tsx";

const ICONS: Record<Theme, IconName> = { light: "sun", dark: "moon", system: "system" };

export function ThemeMenu() {
  const { t } = useTranslation("common");
  const current = useTheme();
  return (
    <Menu label={`${t("theme.label")}: ${t(`theme.${current}`)}`} summary={<Icon name={ICONS[current]} />}>
      {THEMES.map((theme) => (
        <li key={theme}>
          <button
            type="button"
            className="w-menu__item"
            aria-pressed={theme === current}
            onClick={() => setTheme(theme)}
          >
            <Icon name={ICONS[theme]} />
            <span>{t(`theme.${theme}`)}</span>
            {theme === current ? <Icon name="check" size={18} /> : null}
          </button>
        </li>
      ))}
    </Menu>
  );
}
