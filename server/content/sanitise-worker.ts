import { parentPort } from "node:worker_threads";
import { sanitiseArticle } from "./sanitise.ts";

// A thread of its own for texts of other hosts: it is ended when one takes too much.
parentPort?.on("message", (html: string) => {
  sanitiseArticle(html).then(
    (sanitised) => parentPort?.postMessage({ html: sanitised }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  );
});
