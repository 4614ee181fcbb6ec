-- A worker of a version before used_at releases the handle of a final payment without marking it, also while newer ones run beside it: a payment
-- that had chosen the same nonce before, and stalled, would reserve it again and wait for ever for a block that the chain never makes.
create function mark_used_handle() returns trigger language plpgsql as $$
begin
  if exists (select from payouts where id = new.payout_id and state = 'final') then
    new.used_at := new.released_at;
  end if;
  return new;
end $$;
create trigger payout_handles_used_by_final before update of released_at on payout_handles
  for each row when (old.released_at is null and new.released_at is not null and new.used_at is null
    and new.data ?| array['nonce', 'inputs'])
  execute function mark_used_handle();

-- What one has released since the column is there.
update payout_handles set used_at = released_at where id in (
  select distinct on (h.network, h.key) h.id from payout_handles h join payouts p on p.id = h.payout_id
  where h.released_at is not null and h.used_at is null and h.data ?| array['nonce', 'inputs'] and p.state = 'final'
    and h.released_at = (select max(other.released_at) from payout_handles other where other.payout_id = p.id)
    and not exists (select 1 from payout_handles taken
      where taken.network = h.network and taken.key = h.key and (taken.released_at is null or taken.used_at is not null))
  order by h.network, h.key, h.id desc);
