-- When the balance of a deposit address is looked at next although no order waits for it: a contract may have sent coins there. The pause
-- doubles with each look that finds nothing.
alter table deposit_addresses
  add column next_look_at timestamptz not null default now(),
  add column look_seconds integer not null default 600 check (look_seconds > 0),
  -- What it held of the coin by the rows at the last look, and the newest sweep in that: the archive takes these rows away.
  add column settled_balance numeric(78,0),
  add column settled_sweep bigint;
create index deposit_addresses_to_look_at on deposit_addresses (network, next_look_at) where memo is null;
create index deposits_of_exchange on deposits (exchange_id) where exchange_id is not null;
-- What sweeps have left at the addresses of archived orders is not known: it counts from the first look.
update deposit_addresses a set initial_balance = null from archived_orders o where o.id = a.order_id;

-- Orders that a partner filled are archived as well: the refund address of an exchange outlives its rows, and leads to the document.
alter table deposit_addresses drop constraint deposit_addresses_exchange_id_fkey;
create index archived_exchanges on archived_orders using gin ((document -> 'partner_exchanges') jsonb_path_ops);
