import { createServer } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { build, type Rolldown } from "vite";
import { freePort } from "../../lib/free-port.ts";

const ENTRY = "virtual:bare-page";
const SOURCE = `
  import { createElement, useState } from "react";
  import { hydrateRoot } from "react-dom/client";
  function Page() {
    const [count, setCount] = useState(0);
    return createElement("button", { onClick: () => setCount(count + 1) }, "Clicked ", count);
  }
  hydrateRoot(document.getElementById("root"), createElement(Page));
`;

/** Serves a page of nothing but hydrated React: what the same machine needs for it in the same minutes. Returns its URL. */
export async function startBarePage(resources: AsyncDisposableStack): Promise<string> {
  const script = await buildScript();
  const markup = renderToString(createElement("button", null, "Clicked ", 0));
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>React</title></head><body><div id="root">${markup}</div><script type="module" src="/script.js"></script></body></html>`;
  const server = createServer(({ url }, reply) => {
    const [type, text] = url === "/script.js" ? ["text/javascript", script] : ["text/html", html];
    reply.writeHead(200, { "content-type": type, "content-encoding": "br", "cache-control": "no-cache" });
    reply.end(brotliCompressSync(text));
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  resources.defer(() => void server.close());
  return `http://localhost:${port}/`;
}

async function buildScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, rolldownOptions: { input: ENTRY } },
    plugins: [
      {
        name: "bare-page",
        resolveId: (id) => (id === ENTRY ? `${import.meta.dirname}/${ENTRY.replace(":", "-")}.js` : null),
        load: (id) => (id.includes(ENTRY.replace(":", "-")) ? SOURCE : null),
      },
    ],
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rolldown.RolldownOutput;
  const [chunk] = output;
  if (chunk.type !== "chunk") throw new Error("the bare page has no script");
  return chunk.code;
}
