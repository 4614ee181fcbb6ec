-- A deposit is credited from a block, never from a mempool (engine law 7). A reorganisation may take the block away later.
create function refuse_credit_without_block() returns trigger language plpgsql as $$
begin
  raise exception 'the deposit % on % is in no block: it can not be credited', new.tx_id, new.network;
end $$;
create trigger deposits_credited_in_a_block before update on deposits for each row
  when (old.credited_at is null and new.credited_at is not null and new.block_height is null)
  execute function refuse_credit_without_block();
create trigger deposits_inserted_in_a_block before insert on deposits for each row
  when (new.credited_at is not null and new.block_height is null)
  execute function refuse_credit_without_block();
