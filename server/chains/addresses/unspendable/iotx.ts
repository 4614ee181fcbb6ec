import { addressesIn } from "./unspendable.ts";

/** Accounts of IoTeX's protocol: their names or the hashes of their names, so that no key leads to them. */
export const IOTX_UNSPENDABLE = addressesIn({
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
