/** As the contract's pattern for ids, without loading the schemas for a hint. */
const ORDER_ID = /^[A-Za-z0-9]{22,64}$/;

export type LookupErrors = { orderId: "idEmpty" | "idWrong" | null; address: "addressEmpty" | null };

/** What is wrong with a look-up before the service is asked. */
export function lookupErrors(orderId: string, address: string): LookupErrors {
  const id = orderId.trim();
  return {
    orderId: id === "" ? "idEmpty" : ORDER_ID.test(id) ? null : "idWrong",
    address: address.trim() === "" ? "addressEmpty" : null,
  };
}

/** What a pasted link of an order's page holds; null for anything else, whatever site it names. */
export function readOrderLink(text: string): { orderId: string; destinationAddress: string } | null {
  const url = URL.parse(text.trim());
  const orderId = /^(?:\/[a-z]{2})?\/order\/([A-Za-z0-9]{22,64})\/?$/.exec(url?.pathname ?? "")?.[1];
  if (url === null || orderId === undefined) return null;
  return { orderId, destinationAddress: url.searchParams.get("destinationAddress")?.trim() ?? "" };
}
