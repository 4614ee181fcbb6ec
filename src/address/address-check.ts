/** What the service says of an address. `failed`: the check could not be made, and is tried again. */
export type AddressCheck = "unchecked" | "checking" | "failed" | "valid" | { rejectedAs: string | null };
