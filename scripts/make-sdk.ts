import { writeFile } from "node:fs/promises";
import { CLIENT_FILE, makeClient } from "./lib/sdk/make-client.ts";

await writeFile(CLIENT_FILE, await makeClient());
console.log(`made ${CLIENT_FILE}`);
