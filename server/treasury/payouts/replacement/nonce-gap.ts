import { NodeBehindError, type Handle, type NetworkWallet, type PreparedPayment } from "../../../chains/port.ts";
import type { Database } from "../../../db/database.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { liveAttempts } from "../attempts.ts";
import { nextNonceOnChain, nonceOf, type Nonce } from "../nonces.ts";
import { payerOf } from "../payer.ts";
import { SIDE } from "../side.ts";
import { lockPayout, reservedHandle, type PayoutParts, type PayoutRow } from "../store.ts";
import { reserveChild } from "./child.ts";
import { liveChildren, type Child } from "./children.ts";
import { markStuck, postponeReplacement, replaceAt } from "./stuck.ts";

/** Empty payments that one turn signs: what a node says of nonces never makes us spend more at once (engine law 15). */
const FILLED_AT_ONCE = 16;

const keyOf = ({ address, nonce }: Nonce): string => `${address}:${nonce}`;

/**
 * Leads on a payment whose nonce stands above one that no payment of ours has, so that the chain would never take it: an empty payment
 * of its account to itself uses each such nonce, signed, stored and committed before it is sent, and replaced where no block takes it. True where there is
 * such a gap. It is an alert as long as it lasts.
 */
export async function fillNonceGap(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<boolean> {
  try {
    return await fill(parts, wallet, payout);
  } catch (error) {
    if (!(error instanceof NodeBehindError))
      parts.log.warn(
        { err: error, payoutId: payout.id.toString() },
        "a gap of nonces could not be looked for or filled",
      );
    await postponeReplacement(parts, payout);
    return true;
  }
}

async function fill(parts: PayoutParts, wallet: NetworkWallet, payout: PayoutRow): Promise<boolean> {
  const handle = await reservedHandle(parts.database, payout.id);
  const own = handle === null ? null : nonceOf(handle);
  if (handle === null || own === null) return false;
  const next = await nextNonceOnChain(parts, wallet, own.address);
  if (next === null || next >= own.nonce) return false;
  const gap = await unusedNonces(parts.database, payout, { ...own, next });
  if (gap.length === 0) return false;
  const why = `it has the nonce ${own.nonce}, the chain takes ${next} next, and no payment has ${gap.join(", ")}`;
  await markStuck(parts, payout, "nonce_gap", why);
  const signed = await parts.signInTurn(payout.network, () => sign(parts, wallet, payout, { handle, own, gap }));
  for (const empty of signed) {
    const result = await wallet.broadcast(empty);
    const about = { payoutId: payout.id.toString(), nonce: empty.nonce, txId: empty.txId };
    parts.log.warn({ ...about, ...result }, "an empty payment uses a nonce that no payment has");
  }
  return true;
}

/** Those from the next one on that no other payment has, up to the first that one has: that one is waited for. */
async function unusedNonces(
  { kysely }: Database,
  payout: PayoutRow,
  { address, nonce, next }: Nonce & { next: number },
): Promise<number[]> {
  const length = Math.min(nonce - next, FILLED_AT_ONCE);
  const below = Array.from({ length }, (_, at) => next + at);
  const taken = await kysely
    .selectFrom("payout_handles")
    .select("key")
    .where("network", "=", payout.network)
    .where(
      "key",
      "in",
      below.map((one) => keyOf({ address, nonce: one })),
    )
    .where((is) => is.or([is("released_at", "is", null), is("used_at", "is not", null)]))
    .where("payout_id", "<>", payout.id)
    .execute();
  const keys = new Set(taken.map(({ key }) => key));
  const first = below.findIndex((one) => keys.has(keyOf({ address, nonce: one })));
  return first < 0 ? below : below.slice(0, first);
}

type Gap = { handle: Handle; own: Nonce; gap: readonly number[] };
type Empty = PreparedPayment & { nonce: number; maxCost: bigint; isFirst: boolean };

/** None where nothing may be signed now: it is tried again after the pause of a replacement. */
async function sign(
  parts: PayoutParts,
  wallet: NetworkWallet,
  payout: PayoutRow,
  { handle, own, gap }: Gap,
): Promise<readonly Empty[]> {
  const instrument = { slug: payout.slug, networkTitle: payout.network };
  const isStopped = (await parts.switches.stoppedNow("pay", instrument, SIDE[payout.purpose])) !== null;
  const payer = await payerOf(parts, wallet, payout);
  const known = await liveChildren(parts.database, payout.id);
  const mayReplace = payout.replacements < parts.replacement(payout.network).maxReplacements;
  const empties: Empty[] = [];
  for (const nonce of isStopped || payer?.address !== own.address ? [] : gap) {
    const before = known.filter((child) => child.nonce === nonce);
    if (before.length > 0 && !mayReplace) continue;
    const at: Handle = { keys: [keyOf({ ...own, nonce })], data: { ...handle.data, nonce } };
    const prepared = await payer?.prepareCancellation(at, before);
    if (prepared == null) continue;
    empties.push({ maxCost: wallet.maxCost(at), ...prepared, nonce, isFirst: before.length === 0 });
  }
  if (empties.length === 0) {
    await postponeReplacement(parts, payout);
    return [];
  }
  return store(parts, payout, { handle, own, known, empties });
}

async function store(
  parts: PayoutParts,
  payout: PayoutRow,
  { handle, own, known, empties }: Omit<Gap, "gap"> & { known: readonly Child[]; empties: readonly Empty[] },
): Promise<readonly Empty[]> {
  return inTransaction(
    parts.database,
    async (transaction) => {
      const locked = await lockPayout(transaction, payout.id);
      const reserved = await reservedHandle(transaction, payout.id);
      const paysFor = (await liveAttempts(transaction, payout.id)).at(-1)?.txId;
      // Another process filled it in between, or the payment is no longer on its way.
      if (locked?.state !== payout.state || locked.replacements !== payout.replacements) return [];
      if (reserved?.keys.join() !== handle.keys.join() || paysFor === undefined) return [];
      if ((await liveChildren({ kysely: transaction }, payout.id)).length !== known.length) return [];
      const at = parts.clock.now();
      const stored: Empty[] = [];
      for (const empty of empties) {
        const keys = empty.isFirst ? [keyOf({ ...own, nonce: empty.nonce })] : [];
        if (await reserveChild(transaction, payout, handle, { ...empty, keys, paysFor, at })) stored.push(empty);
      }
      const replacements = payout.replacements + (empties.some(({ isFirst }) => !isFirst) ? 1 : 0);
      const next = { replacements, replace_at: replaceAt(parts, payout.network, replacements) };
      await transaction.updateTable("payouts").set(next).where("id", "=", payout.id).execute();
      return stored;
    },
    parts.probe,
  );
}
