import { formatAmount } from "./money.ts";
import { readParameters, type PastedPayment } from "./payment-uri-parts.ts";

const ETHER_DECIMALS = 18;
const MAINNET = "1";
const TARGET = /^(?:pay-)?(0x[0-9a-fA-F]{40})(?:@([0-9]+))?(?:\/([A-Za-z]+))?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Reads what stands behind `ethereum:` (EIP-681): a payment in ether, or a token's `transfer`. Other calls are null. */
export function parseEthereumUri(rest: string): PastedPayment | null {
  const at = rest.indexOf("?");
  const [, target, chainId = MAINNET, call] = TARGET.exec(at === -1 ? rest : rest.slice(0, at)) ?? [];
  const parameters = readParameters(at === -1 ? "" : rest.slice(at + 1));
  if (target === undefined || parameters === null) return null;
  const networkTitle = chainId === MAINNET ? "ETH" : null;

  const read = (name: string): bigint | null | undefined => {
    const text = parameters.get(name);
    return text === undefined ? null : wholeNumber(text);
  };
  if (call === undefined) {
    const value = read("value");
    if (value === undefined) return null;
    const amount = value === null ? null : formatAmount(value, ETHER_DECIMALS);
    return { networkTitle, address: target, memo: null, amount, minorAmount: null, contractAddress: null };
  }
  const address = parameters.get("address");
  const minorAmount = read("uint256");
  if (call !== "transfer" || address === undefined || !ADDRESS.test(address) || minorAmount === undefined) return null;
  return { networkTitle, address, memo: null, amount: null, minorAmount, contractAddress: target };
}

/** The standard writes 2.014e18 for 2014000000000000000; undefined for what is no whole number. */
function wholeNumber(text: string): bigint | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = /^([0-9]+)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?$/i.exec(text) ?? [];
  const zeros = Number(exponent) - fraction.length;
  if (whole === "" || whole.length > 78 || zeros < 0) return undefined;
  return BigInt(whole + fraction + "0".repeat(zeros));
}
