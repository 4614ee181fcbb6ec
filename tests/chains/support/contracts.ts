import solc from "solc";
import type { Hex } from "viem";
import * as z from "zod";
import { hex, type EvmSetup } from "./evm.ts";

/** Contracts that pay, and tokens that misbehave. */
const SOURCE = `
pragma solidity ^0.8.30;

contract Forwarder {
  function pay(address payable[] calldata to, uint256 each) external payable {
    for (uint256 i = 0; i < to.length; i++) { (bool ok,) = to[i].call{value: each}(""); require(ok); }
  }
  function payAndFail(address payable to) external payable { this.inner{value: msg.value}(to); }
  function inner(address payable to) external payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); revert(); }
}

contract Bequest { constructor(address payable heir) payable { selfdestruct(heir); } }

/// Says that all arrives and keeps a tenth; or says no and moves nothing; or tells the truth about its fee.
contract HostileToken {
  mapping(address => uint256) public balanceOf;
  uint8 public immutable mode;
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor(uint8 mode_) { mode = mode_; balanceOf[msg.sender] = 1e30; }
  function fund(address to) external { balanceOf[to] = 1e30; }
  function transfer(address to, uint256 value) external returns (bool) {
    if (mode == 1) return false;
    uint256 fee = value / 10;
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value - fee;
    emit Transfer(msg.sender, to, mode == 2 ? value - fee : value);
    if (mode == 2) emit Transfer(msg.sender, address(0xfee), fee);
    return true;
  }
}`;

const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z.record(
    z.string(),
    z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
  ),
});

/** The creation code of each contract by its name. */
export function compileContracts(): (name: string) => Hex {
  const input = {
    language: "Solidity",
    sources: { "a.sol": { content: SOURCE } },
    settings: { evmVersion: "paris", outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
  };
  const { errors = [], contracts } = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input))));
  const failed = errors.find(({ severity }) => severity === "error");
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  return (name) => {
    const code = contracts["a.sol"]?.[name]?.evm.bytecode.object;
    if (code === undefined) throw new Error(`there is no contract ${name}`);
    return `0x${code}`;
  };
}

/** Deploys in a block of its own; resolves to the contract's address. */
export async function deploy(setup: EvmSetup, from: Hex, data: Hex): Promise<Hex> {
  const txId = await setup.ask("eth_sendTransaction", [{ from, data, gas: "0x200000" }], hex);
  await setup.devnet.mine(1);
  const receipt = await setup.ask("eth_getTransactionReceipt", [txId], z.object({ contractAddress: hex }));
  return receipt.contractAddress;
}
