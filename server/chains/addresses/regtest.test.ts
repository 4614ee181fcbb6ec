import { describe, expect, it } from "vitest";
import { parseAddressOf } from "./index.ts";

/** As litecoind's regtest makes them; Bitcoin's and Dogecoin's legacy forms share their version bytes. */
const LOCAL = {
  LTC: ["rltc1qwmeegmynjrvql3cckpl3ky2z7enyf9t9jzz6d4", "mvSvTtvD9H9fkgi8MGDyLALgRaR2LhnWFM"],
  BTC: ["bcrt1q6rhpng9evdsfnn833a4f4vej0asu6dk5srld6x", "mvSvTtvD9H9fkgi8MGDyLALgRaR2LhnWFM"],
  DOGE: ["mvSvTtvD9H9fkgi8MGDyLALgRaR2LhnWFM"],
};
const MAIN = {
  LTC: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
  BTC: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  DOGE: "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L",
};

describe("an address of a local chain", () => {
  const cases = Object.entries(LOCAL).flatMap(([title, addresses]) => addresses.map((address) => [title, address]));
  it.each(cases)("of %s, %s, is valid there and refused on the main network", (title = "", address = "") => {
    expect(parseAddressOf(title, address, "regtest")).toEqual({ valid: true, canonical: address });
    expect(parseAddressOf(title, address)).toMatchObject({ valid: false });
  });

  it.each(Object.entries(MAIN))("of the main network of %s is refused there", (title, address) => {
    expect(parseAddressOf(title, address)).toMatchObject({ valid: true });
    expect(parseAddressOf(title, address, "regtest")).toMatchObject({ valid: false });
  });

  it("inside Litecoin's extension block is refused: nobody but its owner could see that it was paid", () => {
    const inside =
      "tmweb1qqddng0njrtrmpxvkg8my9d3nqka3lvwm7eje0um8vvyfk9d29ntjcq75jdf352t432n50cveaufgnzj92re05tukrrm5f7ne87ln8nar6q69wavq";
    expect(parseAddressOf("LTC", inside, "regtest")).toMatchObject({ valid: false });
  });
});
