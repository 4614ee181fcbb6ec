/**
 * Why an address is refused that is well written: it is ours, a token's contract, or one whose coins nobody owns (contract §3). In the
 * `code` of validate-address and in the `data` of ERR_VALIDATION.
 */
export const ADDRESS_UNPAYABLE = "error_address_unpayable";
