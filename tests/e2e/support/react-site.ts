import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";

const MAIN = `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Exchange } from "./exchange.jsx";
createRoot(document.querySelector("#app")).render(createElement(Exchange));
`;

/** The body of a page of a React site whose component `Exchange` is this code, as its own build makes it. */
export async function reactSite(code: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "wherry-react-site-"));
  try {
    await writeFile(join(root, "exchange.jsx"), code);
    await writeFile(join(root, "main.jsx"), MAIN);
    const alias = Object.fromEntries(["react", "react-dom"].map((name) => [name, resolve("node_modules", name)]));
    const built = await build({
      configFile: false,
      root,
      logLevel: "error",
      resolve: { alias },
      build: { write: false, rolldownOptions: { input: join(root, "main.jsx") } },
    });
    const [output] = Array.isArray(built) ? built : [built];
    if (output === undefined || !("output" in output)) throw new Error("the site was not built");
    const script = output.output.flatMap((part) => (part.type === "chunk" ? [part.code] : [])).join("\n");
    return `<div id="app"></div><script type="module">${script.replace(/<\/script/g, "<\\/script")}</script>`;
  } finally {
    await rm(root, { recursive: true });
  }
}
