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
