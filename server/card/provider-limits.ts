import { createClientBuckets, createTokenBucket, type BucketClient } from "../base/concurrency/token-buckets.ts";
import { OverloadError } from "../base/overload-error.ts";

/** Of this process: what a provider answers to is the partner's quota, which all customers share. */
const ALL = { burst: 100, perSecond: 10 };
/** Orders have questions of their own, so that whoever only looks at rates ends no trading. */
const ORDERS = { burst: 40, perSecond: 4 };

/** Calls about a person at the provider: a page asks again every few seconds while somebody is checked. */
const PEOPLE = { burst: 60, perSecond: 6 };
const PEOPLE_OF_ONE = { burst: 20, perSecond: 1 };

const RETRY_SECONDS = 5;

export const tooManyQuestions = () => new OverloadError("The card provider is asked too often now", RETRY_SECONDS);

/** Who asks; null where nobody is known. */
export type Asker = { client: BucketClient | null; isOrder: boolean };

/**
 * Takes one question to the provider out of the asker's share and out of all; false where none is left. One client has
 * `perMinute` about rates and a quarter as many about orders, a network of addresses four times as many.
 */
export function createRateLimits(perMinute: number, now: () => number = Date.now): (asker: Asker) => boolean {
  const ofClient = { burst: Math.ceil(perMinute / 6), perSecond: perMinute / 60 };
  const ordersOfClient = { burst: Math.ceil(perMinute / 12), perSecond: perMinute / 240 };
  const shares = {
    rates: { all: createTokenBucket(ALL, now), clients: createClientBuckets(ofClient, now) },
    orders: { all: createTokenBucket(ORDERS, now), clients: createClientBuckets(ordersOfClient, now) },
  };
  return ({ client, isOrder }) => {
    const { all, clients } = isOrder ? shares.orders : shares.rates;
    return (client === null || clients.take(client)) && all.take();
  };
}

/** Takes one question about a person out of the share of the account, of its client and of all; throws where none is left. */
export function createPeopleLimits(now: () => number = Date.now): (userId: bigint, client: BucketClient) => void {
  const all = createTokenBucket(PEOPLE, now);
  const clients = createClientBuckets(PEOPLE_OF_ONE, now);
  const accounts = createClientBuckets(PEOPLE_OF_ONE, now);
  return (userId, client) => {
    const isLeft = accounts.take({ address: `${userId}`, network: null }) && clients.take(client) && all.take();
    if (!isLeft) throw tooManyQuestions();
  };
}
