import { useOnline } from "../../shared/browser/connectivity.ts";
import { optional } from "../../shared/page/optional.tsx";

const SavedOrderLink = optional("the saved order", async () => (await import("./saved-order-link.tsx")).SavedOrderLink);

/** Offline, below the calculator: a link to the newest unfinished order on this device. */
export const SavedOrder = () => (useOnline() ? null : <SavedOrderLink />);
