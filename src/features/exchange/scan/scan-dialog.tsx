import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, Note, Spinner } from "../../../shared/ui/index.ts";
import "./scan-dialog.css";
import { useScan } from "./use-scan.ts";

type ScanDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onFound: (text: string) => void;
};

/** The camera's picture, until it shows a QR code. */
export default function ScanDialog({ open, onClose, onFound }: ScanDialogProps) {
  const { t } = useTranslation("exchange");
  const video = useRef<HTMLVideoElement>(null);
  const state = useScan(video, open, onFound);
  const isSeen = state === "starting" || state === "looking";
  return (
    <Dialog open={open} onClose={onClose} title={t("scan.title")}>
      {isSeen ? (
        <div className="w-scan">
          {/* A picture of what is in front of its reader: nothing in it is told by words. */}
          <video ref={video} className="w-scan__video" muted playsInline aria-hidden="true" />
          {state === "starting" ? (
            <Spinner label={t("scan.starting")} isLabelShown />
          ) : (
            <p role="status">{t("scan.looking")}</p>
          )}
        </div>
      ) : (
        <Note tone="danger" title={t(`scan.${state}`)}>
          {t("scan.instead")}
        </Note>
      )}
    </Dialog>
  );
}
