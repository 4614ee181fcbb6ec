-- An order that ended long ago, with all its rows, as one document: the tables that every loop reads stay small (engine law 17). Its deposit
-- addresses stay where they are, so that a late deposit is still found; the order then comes back as it was.
create table archived_orders (
  id text primary key,
  reference text not null unique,
  archived_at timestamptz not null default now(),
  -- Rows by their table, as to_jsonb() writes them.
  document jsonb not null
);
alter table deposit_addresses drop constraint deposit_addresses_order_id_fkey;

-- Short names stay unique over both.
create function refuse_archived_reference() returns trigger language plpgsql as $$
begin
  if exists (select 1 from archived_orders where reference = new.reference) then
    raise exception 'the reference % belongs to an archived order', new.reference
      using errcode = 'unique_violation', constraint = 'orders_reference_key', table = 'orders';
  end if;
  return new;
end $$;
create trigger orders_reference_is_new before insert on orders for each row execute function refuse_archived_reference();

-- History is append-only still: an event may only be removed that the archive holds.
create function refuse_lost_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select 1 from archived_orders where id = old.order_id and document -> 'order_events' @> jsonb_build_array(to_jsonb(old))
  ) then
    return old;
  end if;
  raise exception 'order_events is append-only' using errcode = 'restrict_violation';
end $$;
drop trigger order_events_append_only on order_events;
create trigger order_events_append_only before update or delete on order_events for each row execute function refuse_lost_event();

-- What refers to a row that is moved is found without reading its whole table.
create index deposits_of_sweep on deposits (sweep_id) where sweep_id is not null;
create index payouts_of_sweep on payouts (sweep_id) where sweep_id is not null;
create index outbox_of_order on outbox (order_id);
