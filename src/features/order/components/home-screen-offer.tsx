import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import { Button } from "../../../shared/ui/index.ts";

/** Offers a place on the device's home screen where Telegram around this page can give one. */
export function HomeScreenOffer() {
  const { t } = useTranslation("order");
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    let isLeft = false;
    const look = async () => {
      const can = await (await loadTelegramClient())?.canAddToHomeScreen();
      if (!isLeft) setOffered(can === true);
    };
    void look();
    return () => {
      isLeft = true;
    };
  }, []);
  const add = async () => {
    // It isn't always told what came of it.
    setOffered(false);
    (await loadTelegramClient())?.addToHomeScreen();
  };
  return isOffered ? (
    <Button variant="outline" onClick={() => void add()}>
      {t("receipt.homeScreen")}
    </Button>
  ) : null;
}
