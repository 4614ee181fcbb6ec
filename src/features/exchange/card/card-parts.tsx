import { Suspense, useEffect, useState } from "react";
import { useSnapshot } from "valtio";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { isVerification } from "../model/card-flow.ts";
import { useExchangeStore } from "../store/provider.tsx";
import { FlowNote } from "./flow-note.tsx";
import { ProviderNote } from "./provider-note.tsx";
import "./card.css";

const verificationWindow = lazyWithPreload(
  "src/features/exchange/card/verification-window.tsx",
  async () => (await import("./verification-window.tsx")).VerificationWindow,
);

/** Who takes part in an order by card and what they learn, why it does not go on, and the window of the check. */
export function CardParts({ onClose }: { readonly onClose: () => void }) {
  const { flow } = useSnapshot(useExchangeStore().card);
  const isOpen = isVerification(flow) || (flow.step === "creating" && flow.isVerified);
  // It stays for its closing movement.
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  useEffect(() => {
    // A window that a reload goes on with gives the focus back to the button that began it.
    if (isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>(".w-destination [type=submit]")?.focus();
  }, [isOpen]);
  return (
    <>
      <ProviderNote />
      <FlowNote />
      {wasOpened ? (
        <Suspense fallback={null}>
          <verificationWindow.Component open={isOpen} onClose={onClose} />
        </Suspense>
      ) : null}
    </>
  );
}
