import { type InfoData, infoHead, loadInfo } from "../../features/content/info/load.ts";
import { SupportPage } from "../../features/content/info/support-page.tsx";
import { LookupForm } from "../../features/order/lookup/lookup-form.tsx";
import { definePage } from "../router/define-page.ts";

export const page = definePage<InfoData>({
  Page: () => <SupportPage lookup={<LookupForm orderId="" destinationAddress="" isMain={false} />} />,
  load: (input) => loadInfo(input, "support"),
  head: infoHead,
});
