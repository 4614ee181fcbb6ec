-- The highest nonce that a payment from an address has used, also after its handle was released (engine law 18).
create index payout_handles_nonces on payout_handles (network, split_part(key, ':', 1), ((data ->> 'nonce')::bigint))
  where released_at is not null and data ? 'nonce';
