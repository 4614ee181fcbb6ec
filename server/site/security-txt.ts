import { LOCALES } from "#contract/locale.ts";
import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";

export type SecurityTxt = {
  readonly contacts: readonly string[];
  readonly expires: Date;
  readonly publicUrl: string;
  readonly now?: () => Date;
};

const PATH = "/.well-known/security.txt";

/** Serves the operator's contact for weaknesses (RFC 9116). Once it has expired it is not found, which is better than a dead address. */
export function addSecurityTxt(
  app: FastifyInstance,
  { contacts, expires, publicUrl, now = () => new Date() }: SecurityTxt,
) {
  const text = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${LOCALES.join(", ")}`,
    `Canonical: ${publicUrl}${PATH}`,
    "",
  ].join("\n");
  app.get(PATH, (_request, reply) => {
    if (now() >= expires) throw new CodedError("ERR_NOT_FOUND", "There is nothing here");
    return reply.type("text/plain; charset=utf-8").header("cache-control", "public, max-age=3600").send(text);
  });
}
