import { lazy, Suspense, useState } from "react";
import { useT } from "../../../lib/i18n/index.ts";
import { Button, Icon } from "../../../ui/index.ts";

const ScanDialog = lazy(() => import("./scan-dialog.tsx"));

type ScanButtonProps = { readonly className: string; readonly onFound: (text: string) => void };

/** Reads an address from a QR code; the scanner loads with the first press. */
export function ScanButton({ className, onFound }: ScanButtonProps) {
  const t = useT("exchange");
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  const found = (text: string) => {
    setOpen(false);
    onFound(text);
  };
  return (
    <>
      <Button variant="outline" stretched className={className} icon={<Icon name="scan" />} onClick={open}>
        {t("destination.scan")}
      </Button>
      {wasOpened ? (
        <Suspense fallback={null}>
          <ScanDialog open={isOpen} onClose={() => setOpen(false)} onFound={found} />
        </Suspense>
      ) : null}
    </>
  );
}
