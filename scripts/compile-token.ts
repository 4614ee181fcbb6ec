import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import solc from "solc";
import * as z from "zod";

const SOURCE = fileURLToPath(new URL("../server/devnet/evm/contracts/Token.sol", import.meta.url));
export const ARTIFACT = fileURLToPath(new URL("../server/devnet/evm/contracts/token.artifact.json", import.meta.url));

const outputSchema = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).optional(),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
      ),
    )
    .optional(),
});

/** Compiles the devnet's token; the text that it gives is what the committed artifact holds. Any warning is an error. */
export async function compileToken(): Promise<string> {
  const input = {
    language: "Solidity",
    sources: { "Token.sol": { content: await readFile(SOURCE, "utf8") } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: "paris",
      // Without the hash of the source the bytecode depends on nothing but the code.
      metadata: { bytecodeHash: "none" },
      outputSelection: { "*": { Token: ["abi", "evm.bytecode.object"] } },
    },
  };
  const { errors = [], contracts } = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input))));
  const token = contracts?.["Token.sol"]?.["Token"];
  if (errors.length > 0 || token === undefined)
    throw new Error(
      errors.map(({ formattedMessage }) => formattedMessage).join("\n") || "the compiler gave no contract",
    );
  const artifact = {
    contractName: "Token",
    compiler: solc.version(),
    abi: token.abi,
    bytecode: `0x${token.evm.bytecode.object}`,
  };
  return `${JSON.stringify(artifact, null, 2)}\n`;
}

if (import.meta.main) await writeFile(ARTIFACT, await compileToken());
