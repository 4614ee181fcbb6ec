import * as ecc from "@bitcoinerlab/secp256k1";
import { decodeCashAddress } from "@bitauth/libauth";
import { Address as CardanoAddress, ByronAddress } from "@emurgo/cardano-serialization-lib-nodejs";
import { isAddress as isSolanaAddress, isOffCurveAddress } from "@solana/addresses";
import { StrKey } from "@stellar/stellar-base";
import { Address as TonAddress } from "@ton/core";
import * as bitcoin from "bitcoinjs-lib";
import { isAddress as isEthereumAddress } from "ethers";
import { decodeXAddress, isValidClassicAddress, isValidXAddress } from "ripple-address-codec";
import { TronWeb } from "tronweb";

bitcoin.initEccLib(ecc);

const LITECOIN = { ...bitcoin.networks.bitcoin, bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32 };
const DOGECOIN = { ...bitcoin.networks.bitcoin, bech32: "none", pubKeyHash: 0x1e, scriptHash: 0x16 };

/** Whether the libraries that wallets are built on take a text as an address of a network's main chain. */
export const references: Readonly<Record<string, (text: string) => boolean>> = {
  BTC: (text) => isBitcoin(text, bitcoin.networks.bitcoin),
  LTC: (text) => isBitcoin(text, LITECOIN),
  DOGE: (text) => isBitcoin(text, DOGECOIN),
  BCH: isBitcoinCash,
  XRP: (text) => isValidClassicAddress(text) || (isValidXAddress(text) && !decodeXAddress(text).test),
  XLM: (text) => StrKey.isValidEd25519PublicKey(text) || StrKey.isValidMed25519PublicKey(text),
  TON: (text) => TonAddress.isFriendly(text) && succeeds(() => !TonAddress.parseFriendly(text).isTestOnly),
  SOL: (text) => isSolanaAddress(text) && !isOffCurveAddress(text),
  ADA: (text) => (/^addr/i.test(text) ? isShelley(text) : isByron(text)),
  TRX: (text) => text.startsWith("T") && TronWeb.isAddress(text),
  ETH: isEthereumAddress,
};

function isBitcoin(text: string, network: bitcoin.Network): boolean {
  return succeeds(() => bitcoin.address.toOutputScript(text, network).length > 0);
}

function isBitcoinCash(text: string): boolean {
  const decoded = decodeCashAddress(text.includes(":") ? text : `bitcoincash:${text}`);
  return typeof decoded !== "string" && decoded.prefix === "bitcoincash";
}

const MAINNET = 1;

function isShelley(text: string): boolean {
  return succeeds(() => {
    const address = CardanoAddress.from_bech32(text);
    return text.toLowerCase().startsWith("addr1") && !address.is_malformed() && address.network_id() === MAINNET;
  });
}

function isByron(text: string): boolean {
  return ByronAddress.is_valid(text) && succeeds(() => ByronAddress.from_base58(text).network_id() === MAINNET);
}

/** Cardano's library throws texts instead of errors. */
function succeeds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
