import { bech32 } from "@scure/base";
import { decodeOrNull, INVALID, UNPAYABLE, type AddressParser } from "./parser.ts";
import { isMadeUp, addressesIn } from "./unspendable/unspendable.ts";

/** Accounts of IoTeX's protocol: their names or the hashes of their names, so that no key leads to them. */
const IOTX_UNSPENDABLE = addressesIn({
  "github.com/iotexproject/iotex-address, address/address.go": [
    "io1qnpz47hx5q6r3w876axtrn6yz95d70cjl35r53",
    "io154mvzs09vkgn0hw6gg3ayzw5w39jzp47f8py9v",
    "io1qqqqqqqqqqq8xarpdd5kue6rwfjkzar9k0wk6t",
    "io1qqqqqum5v94kjmn8g9jxg3r9wphhx6t58x7tye",
    "io1qqqqqum5v94kjmn8gd5xzmn8v4pkzmnye5v3fh",
    "io1qqqqqqqqqpehgcttd9hxw4twwd6xz6m9pl4r27",
    "io1qqqqqqqqwd6xz6mfden4w6t5dpj8ycthwsq5ng",
    "io1qqqqqqqqqpehgcttd9hxw5n9wd6xz6m995w4zm",
    "io1qqqqqqqqwd6xz6mfden4gunpdeekvetjzwh99y",
    "io1qpehgcttd9hxw5n9va5hxar9wfpkzmnyahxhjk",
    "io1qqqqqum5v94kjmn824cxgct5v4pkzmnyxxj98n",
  ],
});

/** The reject code of spec §5: the same account can be written as 0x…, which is not what is asked for here. */
const ETHEREUM_FORM = "address_reject_iotx";

/** IoTeX: 20 bytes in bech32 ("io1…"). */
export const parseIotxAddress: AddressParser = (text) => {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { valid: false, code: ETHEREUM_FORM };
  const decoded = decodeOrNull(() => bech32.decodeToBytes(text));
  if (decoded?.prefix !== "io" || decoded.bytes.length !== 20) return INVALID;
  const canonical = text.toLowerCase();
  if (IOTX_UNSPENDABLE.has(canonical) || isMadeUp(canonical, decoded.bytes)) return UNPAYABLE;
  return { valid: true, canonical };
};
