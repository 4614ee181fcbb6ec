import { loadMessages } from "../../../shared/i18n/messages.ts";
import { optional } from "../../../shared/page/optional.tsx";

/** The place of the card that offers the app; its code and words come only after an order was completed. */
export const InstallOffer = optional("the offer of the app", async (i18n) => {
  const [{ InstallCard }] = await Promise.all([import("./install-card.tsx"), loadMessages(i18n, ["install"])]);
  return InstallCard;
});
