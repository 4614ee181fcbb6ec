import { type ComponentType, useEffect, useState } from "react";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { useI18n } from "../../../shared/i18n/index.ts";

/** The place of the card that offers the app; its code and words come only after an order was completed. */
export function InstallOffer() {
  const i18n = useI18n();
  const [Card, setCard] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const [{ InstallCard }] = await Promise.all([import("./install-card.tsx"), loadMessages(i18n, ["install"])]);
      if (!isLeft) setCard(() => InstallCard);
    };
    open().catch((error: unknown) => console.debug("the app isn't offered now", error));
    return () => {
      isLeft = true;
    };
  }, [i18n]);
  return Card === null ? null : <Card />;
}
