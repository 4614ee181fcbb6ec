import pg from "pg";

/** Copies of the one finished order that is there, under keys of their own. */
const ORDERS = `
  insert into orders
     select 'finished' || lpad(i::text, 20, '0') as id, 'finished-' || i as reference, version, state, snapshot,
            from_slug, to_slug, rate_mode, client_key, user_email, email_set_at, referrer_id, utm_data,
            next_attempt_at, waiting_for, created_at, completed_at
     from orders cross join generate_series(1, $1::int) i where completed_at is not null`;

/** All that a finished order leaves behind, for each copy. */
const LEFT_BEHIND = [
  `insert into order_events
     select copy.id, seq, kind, data, at from order_events join orders first on first.id = order_id
     cross join orders copy where first.id not like 'finished%' and first.completed_at is not null
       and copy.id like 'finished%'`,
  `insert into deposit_addresses
     select network, 'finished-' || copy.id, derivation_index, memo, copy.id
     from deposit_addresses cross join orders copy where copy.id like 'finished%'`,
  `insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, block_height, block_hash,
                         detected_at, credited_at, review_reason)
     select network, 'finished-' || copy.id, output_index, 'finished-' || copy.id, slug, amount, copy.id,
            block_height, block_hash, detected_at, credited_at, deposits.review_reason
     from deposits cross join orders copy where copy.id like 'finished%'`,
  `insert into payouts (order_id, purpose, network, slug, to_address, to_memo, amount, state, review_reason,
                        mined_height, mined_hash, next_attempt_at, created_at)
     select copy.id, purpose, network, slug, to_address, to_memo, amount, payouts.state, payouts.review_reason,
            mined_height, mined_hash, payouts.next_attempt_at, payouts.created_at
     from payouts cross join orders copy where copy.id like 'finished%'`,
  `insert into payout_handles (network, key, payout_id, data, released_at)
     select h.network, 'finished-' || p.id, p.id, data, released_at
     from payout_handles h cross join payouts p where p.order_id like 'finished%'`,
  `insert into payout_attempts
     select p.id, n, a.network, 'payout-' || p.id, raw, status, prepared_at, broadcast_at
     from payout_attempts a cross join payouts p where p.order_id like 'finished%'`,
];

/** Multiplies the only finished order of a database by `count`; `url` is of a superuser, who may leave triggers out. */
export async function copyFinishedOrder(url: string, count: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Append-only triggers and foreign keys would be checked for each of millions of rows that are right by construction.
    await client.query("set session_replication_role = replica");
    await client.query(ORDERS, [count]);
    for (const statement of LEFT_BEHIND) await client.query(statement);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}
