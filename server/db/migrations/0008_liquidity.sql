-- What partners quoted when the board was made.
alter table rate_boards add column partners jsonb not null default '{}';

-- An exchange at a partner: a row of intent before anything is asked, and never two live ones for an order.
create table partner_exchanges (
  id bigint generated always as identity primary key,
  order_id text not null references orders (id),
  n integer not null check (n > 0),
  client_id text not null unique,
  partner text not null,
  from_slug text not null,
  to_slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  expected numeric(78,0) not null check (expected > 0),
  to_address text not null,
  to_memo text,
  -- A place of its own that only this exchange is paid back to, so that the chain tells what came back.
  refund_address text,
  refund_memo text,
  state text not null check (state in ('intended', 'opened', 'finished', 'returning', 'returned', 'abandoned', 'held')),
  -- Openings whose outcome nobody knows: one is added before each and taken back by its answer.
  doubts integer not null default 0 check (doubts >= 0),
  openings integer not null default 0,
  partner_id text,
  deposit_address text,
  deposit_memo text,
  expires_at timestamptz,
  partner_status text,
  reason text,
  payout_tx_id text,
  delivered numeric(78,0) check (delivered > 0),
  returned numeric(78,0) check (returned > 0),
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  opened_at timestamptz,
  unique (order_id, n),
  unique (partner, partner_id),
  check ((state = 'finished') = (payout_tx_id is not null and delivered is not null)),
  check (state in ('intended', 'abandoned', 'held') or (partner_id is not null and deposit_address is not null))
);
create unique index partner_exchanges_live on partner_exchanges (order_id) where state not in ('returned', 'abandoned');
create index partner_exchanges_due on partner_exchanges (next_attempt_at) where next_attempt_at is not null;

-- An address of ours is an order's, or the way back of one exchange.
alter table deposit_addresses alter column order_id drop not null;
alter table deposit_addresses add column exchange_id bigint unique references partner_exchanges (id);
alter table deposits add column exchange_id bigint references partner_exchanges (id);
alter table deposit_addresses add check (num_nonnulls(order_id, exchange_id) = 1);

-- An order's one payment is made by the house or by a partner; what a partner is sent for it is a payment of its own, once for an exchange.
-- `returned` gave its value back before anything left for the customer: the order's row may then be made anew.
alter table payouts add column route text not null default 'house' check (route in ('house', 'partner'));
alter table payouts add column exchange_id bigint unique references partner_exchanges (id);
alter table payouts drop constraint payouts_one_source;
alter table payouts add constraint payouts_one_source check (num_nonnulls(order_id, deposit_id, sweep_id, exchange_id) = 1);
alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('payout', 'refund', 'sweep', 'gas', 'funding') and (purpose in ('sweep', 'gas')) = (sweep_id is not null)
    and (purpose = 'funding') = (exchange_id is not null));
alter table payouts drop constraint payouts_state_check;
alter table payouts add constraint payouts_state_check
  check (state in ('intended', 'broadcast', 'mined', 'final', 'held', 'returned'));
