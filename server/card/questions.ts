import { createClientBuckets, createTokenBucket, type BucketClient } from "../base/concurrency/token-buckets.ts";
import { OverloadError } from "../base/overload-error.ts";

/** Of this process: what a provider answers to is the partner's quota, which all customers share. */
const ALL = { burst: 100, perSecond: 10 };
/** Orders have questions of their own, so that whoever only looks at rates ends no trading. */
const ORDERS = { burst: 40, perSecond: 4 };

const RETRY_SECONDS = 5;

export const askedTooOften = () => new OverloadError("The card provider is asked too often now", RETRY_SECONDS);

/** Who asks; null where nobody is known. */
export type Asker = { client: BucketClient | null; isOrder: boolean };

/**
 * Takes one question to the provider out of the asker's share and out of all; false where none is left. One client has
 * `perMinute` about rates and a quarter as many about orders, a network of addresses four times as many.
 */
export function createQuestions(perMinute: number, now: () => number = Date.now): (asker: Asker) => boolean {
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
