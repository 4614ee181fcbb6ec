import { isIP } from "node:net";
import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";

const NETWORK_BITS = 48;
const BLOCK_BITS = 32;

type ClientNames = { key: string; network: string | null; block: string };

declare module "fastify" {
  interface FastifyRequest {
    /** Known once they were asked for: a request is counted several times. */
    clientNames: ClientNames | null;
  }
}

/** Lets requests keep the names of their clients. */
export function nameClients(app: FastifyInstance): void {
  app.decorateRequest("clientNames", null);
}

/** Names a client for limits: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export const clientKey = (request: FastifyRequest): string => clientNames(request).key;

/** The /48 of an IPv6 client, of which one party may have all 65,536 client keys; null for IPv4. */
export const clientNetwork = (request: FastifyRequest): string | null => clientNames(request).network;

/** The block of addresses that a provider has for many networks, of which one party may have several: a /32 of IPv6, a /16 of IPv4. */
export const clientBlock = (request: FastifyRequest): string => clientNames(request).block;

/** The client's own address, whole, by the trusted proxies alone. */
export const clientAddress = (request: FastifyRequest): string => addressOf(request);

/** Those of the last addresses: parsing one of IPv6 takes as long as a quick answer, and a client asks again and again. */
const namesOfAddresses = new Map<string, ClientNames>();
const KNOWN_ADDRESSES = 5_000;

function clientNames(request: FastifyRequest): ClientNames {
  return (request.clientNames ??= namesOfAddresses.get(request.ip) ?? namesOfAddress(addressOf(request)));
}

function namesOfAddress(address: string): ClientNames {
  const key = normalizeIP(address);
  const names = key.includes(":")
    ? { key, network: ipv6Network(key, NETWORK_BITS), block: ipv6Network(key, BLOCK_BITS) }
    : { key, network: null, block: `${key.split(".").slice(0, 2).join(".")}.0.0/16` };
  if (namesOfAddresses.size >= KNOWN_ADDRESSES) namesOfAddresses.clear();
  namesOfAddresses.set(address, names);
  return names;
}

const ipv6Network = (address: string, bits: number): string => `${normalizeIP(address, bits)}/${bits}`;

/** Some proxies add a port to a forwarded address. What is no address at all must not make a client of its own. */
function addressOf({ ip, socket }: FastifyRequest): string {
  if (isIP(ip) !== 0) return ip;
  const withoutPort = /^\[(?<v6>[^\]]+)\](?::\d+)?$|^(?<v4>[\d.]+):\d+$/.exec(ip)?.groups;
  const address = withoutPort?.["v6"] ?? withoutPort?.["v4"] ?? "";
  return isIP(address) !== 0 ? address : (socket.remoteAddress ?? ip);
}
