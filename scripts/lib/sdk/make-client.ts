import { readFile } from "node:fs/promises";
import { format } from "oxfmt";
import { partnerCalls } from "../../../contract/calls.ts";
import { partnerOpenApi } from "../../../server/partner-api/openapi/document.ts";
import { clientSource } from "./client-source.ts";

/** Where the client of the partner API is served from. */
export const CLIENT_FILE = "public/sdk/wherry.ts";

/** The client as it is made of the contract now. */
export async function makeClient(): Promise<string> {
  const runtime = await readFile(new URL("./runtime.txt", import.meta.url), "utf8");
  const source = clientSource(partnerOpenApi("https://wherry.example"), runtime, partnerCalls);
  const { code, errors } = await format(CLIENT_FILE, source, { printWidth: 120 });
  if (errors.length > 0) throw new Error(`the client can't be formatted: ${errors[0]?.message}`);
  return code;
}
