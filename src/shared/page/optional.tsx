import { type ComponentType, useEffect, useState } from "react";
import type { I18n } from "../i18n/create-i18n.ts";
import { useI18n } from "../i18n/index.ts";
import { abortOnCleanup } from "./abort-on-cleanup.ts";

/**
 * A part that the page can do without: it shows nothing until its code has loaded in the browser, and where that fails. The next
 * mount tries again. Unlike `lazyWithPreload`'s it is on no page of the server's, and nothing waits for it.
 */
export function optional<Props extends object>(
  name: string,
  load: (i18n: I18n) => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Optional(props: Props) {
    const i18n = useI18n();
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded !== null) return undefined;
      return abortOnCleanup(async (signal) => {
        try {
          const part = (loaded = await load(i18n));
          if (!signal.aborted) setPart(() => part);
        } catch (error) {
          console.debug(`${name} can't be loaded now`, error);
        }
      });
    }, [i18n]);
    return Part === null ? null : <Part {...props} />;
  };
}
