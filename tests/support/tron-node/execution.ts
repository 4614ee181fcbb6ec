import { callToken, copyOf, PARAMETERS, takeBandwidth, takeCoins, type Log, type State } from "./state.ts";
import type { RawTransaction } from "./protobuf.ts";

export type Execution = {
  contractRet: "SUCCESS" | "REVERT" | "OUT_OF_ENERGY";
  fee: number;
  netFee: number;
  energyFee: number;
  energy: number;
  logs: Log[];
};

/** Why a transaction is refused before it is in any block. */
export class Refused extends Error {
  override name = "Refused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const ownerOf = (raw: RawTransaction): string => raw.contract[0].parameter.value.owner_address.slice(2);

/** Applies a transaction to a state: it moves value, or fails and costs all the same. Throws `Refused` where no block may hold it. */
export function execute(state: State, raw: RawTransaction, size: number): Execution {
  const owner = ownerOf(raw);
  const [contract] = raw.contract;
  if (!state.coins.has(owner)) throw new Refused("CONTRACT_VALIDATE_ERROR", "account does not exist");
  if (contract.type === "TransferContract") {
    const { amount, to_address } = contract.parameter.value;
    return transferCoins(state, owner, to_address.slice(2), amount, size);
  }
  const netFee = takeBandwidth(state, owner, size);
  if (netFee === null) throw new Refused("BANDWITH_ERROR", "Account resource insufficient error.");
  const { contract_address, data } = contract.parameter.value;
  const called = copyOf(state);
  const result = callToken(called, owner, contract_address.slice(2), data);
  if (result === null) throw new Refused("CONTRACT_VALIDATE_ERROR", "No contract or not a smart contract");
  const wanted = result.energy * PARAMETERS.getEnergyFee;
  const affordable = Math.min(raw.fee_limit ?? 0, Number(state.coins.get(owner) ?? 0n));
  const energyFee = Math.min(wanted, affordable);
  const contractRet = wanted > affordable ? "OUT_OF_ENERGY" : result.ok ? "SUCCESS" : "REVERT";
  if (contractRet === "SUCCESS") Object.assign(state, called);
  takeCoins(state, owner, energyFee);
  const energy = Math.floor(energyFee / PARAMETERS.getEnergyFee);
  const logs = contractRet === "SUCCESS" && result.ok ? result.logs : [];
  return { contractRet, fee: netFee + energyFee, netFee, energyFee, energy, logs };
}

function transferCoins(state: State, owner: string, to: string, amount: number, size: number): Execution {
  if (owner === to) throw new Refused("CONTRACT_VALIDATE_ERROR", "Cannot transfer TRX to yourself.");
  const isNew = !state.coins.has(to);
  const activation = isNew ? PARAMETERS.getCreateNewAccountFeeInSystemContract : 0;
  const netFee = isNew ? PARAMETERS.getCreateAccountFee : takeBandwidth(state, owner, size);
  if (netFee === null) throw new Refused("BANDWITH_ERROR", "Account resource insufficient error.");
  const total = amount + activation + (isNew ? netFee : 0);
  if (amount <= 0 || !takeCoins(state, owner, total))
    throw new Refused("CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, balance is not sufficient.");
  state.coins.set(to, (state.coins.get(to) ?? 0n) + BigInt(amount));
  return { contractRet: "SUCCESS", fee: activation + netFee, netFee, energyFee: 0, energy: 0, logs: [] };
}
