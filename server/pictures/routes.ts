import { DAY_SECONDS } from "#contract/durations.ts";
import { LOCALES } from "#contract/locale.ts";
import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { sha256 } from "../base/secrets.ts";
import { clientKey, clientNetwork } from "../http/security/client-names.ts";
import { type PictureSources, pictureFacts } from "./facts.ts";
import type { Pictures } from "./pictures.ts";

const PATH = /^([a-z]{2})\/([a-z0-9/-]{1,220})\.png$/;

/** Serves the preview pictures of pages: `/pictures/ru/exchange-eth-btc.png` is that of `/ru/exchange-eth-btc`. */
export function addPictures(app: FastifyInstance, parts: PictureSources & { readonly pictures: Pictures }): void {
  app.get<{ Params: { "*": string } }>("/pictures/*", async (request, reply) => {
    const [, named, page = ""] = PATH.exec(request.params["*"]) ?? [];
    const locale = LOCALES.find((known) => known === named);
    const facts = locale === undefined ? null : await pictureFacts(parts, locale, page);
    if (facts === null) throw new CodedError("ERR_NOT_FOUND", "There is no such picture");
    const etag = `"${sha256(JSON.stringify(facts)).toString("base64url")}"`;
    reply.header("cache-control", `public, max-age=${DAY_SECONDS}`).header("etag", etag);
    // The same facts are the same picture.
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    // Drawing one costs as much as a page.
    if (!parts.pictures.has(facts)) await app.countPage(request);
    return reply
      .type("image/png")
      .send(await parts.pictures.find(facts, { address: clientKey(request), network: clientNetwork(request) }));
  });
}
