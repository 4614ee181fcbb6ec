import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTelegramClient } from "../../telegram/load-client.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";
import { isWidget } from "../../shared/browser/is-widget.ts";
import { lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import { Button, Icon, VisuallyHidden } from "../../shared/ui/index.ts";
import { reloadToScan, takeReloadToScan } from "./reload-to-scan.ts";

const scanDialog = lazyWithPreload(
  "src/address/scan/scan-dialog.tsx",
  async () => (await import("./scan-dialog.tsx")).ScanDialog,
);

type ScanButtonProps = {
  readonly className: string;
  readonly fieldId: string;
  /** The field's name, where another one has a button of this name. */
  readonly into?: string;
  readonly onFound: (text: string) => void;
};

/**
 * Reads an address from a QR code: by Telegram's scanner where there is one, by the camera elsewhere, which loads with
 * the first press.
 */
export function ScanButton({ className, fieldId, into, onFound }: ScanButtonProps) {
  const { t } = useTranslation("exchange");
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const openDialog = () => {
    setOpened(true);
    setOpen(true);
  };
  const openCamera = () => {
    if (!reloadToScan(fieldId)) openDialog();
  };
  useEffect(() => {
    if (takeReloadToScan(fieldId)) openDialog();
  }, [fieldId]);
  const scanInTelegram = async () => {
    const scan = (await (await loadTelegramClient())?.scanQr(t("scan.looking"))) ?? "unavailable";
    if (scan === "unavailable") openCamera();
    else if (scan !== "closed") onFound(scan.text);
  };
  const found = (text: string) => {
    setOpen(false);
    onFound(text);
  };
  // The page around the widget would have to open its camera to it.
  if (isWidget()) return null;
  return (
    <>
      <Button
        variant="outline"
        stretched
        className={className}
        icon={<Icon name="scan" />}
        onClick={() => (isTelegram() ? void scanInTelegram() : openCamera())}
      >
        {t("destination.scan")}
        {into === undefined ? null : <VisuallyHidden>{into}</VisuallyHidden>}
      </Button>
      {wasOpened ? (
        <Suspense fallback={null}>
          <scanDialog.Component open={isOpen} onClose={() => setOpen(false)} onFound={found} />
        </Suspense>
      ) : null}
    </>
  );
}
