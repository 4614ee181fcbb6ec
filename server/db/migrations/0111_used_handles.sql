-- A payment that chose a nonce or an outpoint, and stalled until another one was final with it, may not reserve it any more: the chain has used
-- it. A wallet of Monero may leave outputs unspent that a payment reserved, so its key images are never marked.
alter table payout_handles add column used_at timestamptz;
update payout_handles set used_at = released_at where id in (
  select distinct on (h.network, h.key) h.id from payout_handles h join payouts p on p.id = h.payout_id
  where h.released_at is not null and h.data ?| array['nonce', 'inputs']
    and (p.state = 'final' and h.released_at = (select max(other.released_at) from payout_handles other where other.payout_id = p.id)
      or h.data ? 'nonce' and exists (select 1 from payout_cancellations c where c.payout_id = p.id and c.status = 'mined'))
    and not exists (select 1 from payout_handles live
      where live.network = h.network and live.key = h.key and live.released_at is null)
  order by h.network, h.key, h.id desc);

create unique index payout_handles_taken on payout_handles (network, key) where released_at is null or used_at is not null;
drop index payout_handles_live;
-- What is reserved now, without what was ever used.
create index payout_handles_reserved on payout_handles (network) where released_at is null;
-- The highest nonce that an address has used (engine law 18).
create index payout_handles_used_nonces on payout_handles (network, split_part(key, ':', 1), ((data ->> 'nonce')::bigint))
  where used_at is not null and data ? 'nonce';
drop index payout_handles_nonces;
