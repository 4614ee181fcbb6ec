/** Addresses as their networks' own documents, tools and explorers write them; `canonical` where it differs from the text. */
export type AddressVectors = {
  valid: { text: string; canonical?: string; memo?: string }[];
  /** Right in form for a sister or test network, or for nobody at all. */
  invalid: string[];
};

export const addressVectors: Record<string, AddressVectors> = {
  ETH: {
    valid: [{ text: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    invalid: ["0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x0000000000000000000000000000000000000000"],
  },
  BTC: {
    valid: [
      { text: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" },
      { text: "3P14159f73E4gFr7JterCCQh9QjiTjiZrG" },
      { text: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
      {
        text: "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        canonical: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      },
      { text: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3" },
      { text: "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr" },
    ],
    invalid: [
      "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
      "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
      // BIP-350: version 1 with the checksum of version 0, version 0 with that of version 1, and a version to come
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
      "BC1SW50QGDZ25J",
      // an anchor that anybody can spend
      "bc1pfeessrawgf",
    ],
  },
  LTC: {
    valid: [
      { text: "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9" },
      { text: "MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441" },
      { text: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9" },
    ],
    invalid: ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0"],
  },
  DOGE: {
    valid: [{ text: "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L" }, { text: "ADkJjvDZB76xadDaj2KGSL34qz7kbr8Soz" }],
    invalid: ["nUqKQtZkcDR28K6aAeVuFeFY5pYZtf92ht"],
  },
  BCH: {
    valid: [
      { text: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a" },
      {
        text: "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        canonical: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
      },
      {
        text: "QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A",
        canonical: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
      },
      { text: "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq" },
    ],
    invalid: ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t"],
  },
  XRP: {
    valid: [
      { text: "rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn" },
      {
        text: "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ",
        canonical: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
      },
      {
        text: "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu",
        canonical: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
        memo: "1",
      },
      {
        text: "X7AcgcsBL6XDcUb289X4mJ8djcdyKaM4S135zJJmc3HMChp",
        canonical: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
        memo: "4294967295",
      },
    ],
    invalid: [
      "T719a5UwUCnEs54UsxG9CJYYDhwmFCAeofahhQHZbDaphBf",
      "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
      "rrrrrrrrrrrrrrrrrrrrBZbvji",
    ],
  },
  XLM: {
    valid: [
      { text: "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ" },
      {
        text: "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK",
        canonical: "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        memo: "9223372036854775808",
      },
    ],
    invalid: [
      "GAAAAAAAACGC6",
      "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR",
      "XA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVLRR",
      "ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz",
    ],
  },
  TON: {
    valid: [
      {
        text: "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2",
        canonical: "UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz",
      },
      {
        text: "EQDtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p4q2",
        canonical: "UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz",
      },
      { text: "UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz" },
    ],
    invalid: [
      "kQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74pzE8",
      "0QDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p2z5",
      "0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7",
      "EQDtFpEwcFAEcRe5mLVh2N6C0x+_hJEM7W61_JLnSF74p4q2",
      "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c",
    ],
  },
  SOL: {
    valid: [
      { text: "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu" },
      { text: "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R" },
      { text: "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9" },
    ],
    invalid: [
      "11111111111111111111111111111111",
      "1".repeat(43),
      "z".repeat(44),
      "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWB0",
    ],
  },
  ADA: {
    valid: [
      {
        text: "addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x",
      },
      { text: "addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8" },
      { text: "addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k" },
      { text: "Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi" },
      {
        text: "DdzFFzCqrhsrcTVhLygT24QwTnNqQqQ8mZrq5jykUzMveU26sxaH529kMpo7VhPrt5pwW3dXeB2k3EEvKcNBRmzCfcQ7dTkyGzTs658C",
      },
    ],
    invalid: [
      "stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw",
      "addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae",
      "37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na",
    ],
  },
  TRX: {
    valid: [{ text: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }, { text: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8" }],
    invalid: ["41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "T1111111111111111111111111111111111"],
  },
  XMR: {
    valid: [
      {
        text: "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A",
      },
      {
        text: "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
      },
      {
        text: "4BxSHvcgTwu25WooY4BVmgdcKwZu5EksVZSZkDd6ooxSVVqQ4ubxXkhLF6hEqtw96i9cf3cVfLw8UWe95bdDKfRQeYtPwLm1Jiw7AKt2LY",
      },
    ],
    invalid: [
      // a test network's
      "9tTLtauaEKSj7xoVXytVH32R1pLZBk4VV4mZFGEh4wkXhDWqw1soPyf3fGixf1kni31VznEZkWNEza9d5TvjWwq5PaohYHC",
    ],
  },
  IOTX: {
    valid: [
      { text: "io1t2htvpfl862vnwdqnuekd9p4ulh3h6hdf9mua7" },
      {
        text: "IO1T2HTVPFL862VNWDQNUEKD9P4ULH3H6HDF9MUA7",
        canonical: "io1t2htvpfl862vnwdqnuekd9p4ulh3h6hdf9mua7",
      },
    ],
    invalid: ["it1qnpz47hx5q6r3w876axtrn6yz95d70cjusfqlj"],
  },
};
