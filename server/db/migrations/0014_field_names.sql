-- Tables, columns and stored values take the names that the code uses: price snapshot, hot balance, from/to, review, treasury.
alter table rate_boards rename to price_snapshots;
alter index rate_boards_pkey rename to price_snapshots_pkey;
alter table treasury_stock rename to hot_balances;
alter index treasury_stock_pkey rename to hot_balances_pkey;
alter table hot_balances rename constraint treasury_stock_amount_check to hot_balances_amount_check;

alter table orders rename column give_slug to from_slug;
alter table orders rename column get_slug to to_slug;
alter table orders rename column held_reason to waiting_for;
update orders set waiting_for = 'customer_choice' where waiting_for = 'owner_choice';

-- A deposit or a payment that an operator has to look at is in review.
alter table deposits rename column held_reason to review_reason;
alter index deposits_held rename to deposits_in_review;
alter index deposit_addresses_place rename to deposit_addresses_address;
alter table payouts rename column held_reason to review_reason;
alter table payouts drop constraint payouts_state_check;
update payouts set state = 'review' where state = 'held';
update payouts set review_reason = 'not_authorised' where review_reason = 'not_owed';
alter table payouts add constraint payouts_state_check
  check (state in ('intended', 'broadcast', 'mined', 'final', 'review', 'returned'));
drop index payouts_held;
create index payouts_in_review on payouts (id) where state = 'review';

-- An order is paid from the own treasury or by a partner.
alter table payouts drop constraint payouts_route_check;
update payouts set route = 'treasury' where route = 'house';
alter table payouts alter column route set default 'treasury';
alter table payouts add constraint payouts_route_check check (route in ('treasury', 'partner'));
update ledger_accounts set name = 'treasury' where name = 'house';
alter table ledger_transfers disable trigger ledger_transfers_append_only;
update ledger_transfers set kind = 'partner_surplus' where kind = 'partner_gift';
alter table ledger_transfers enable trigger ledger_transfers_append_only;

alter table partner_exchanges rename column doubts to unknown_openings;
alter table partner_exchanges drop constraint partner_exchanges_state_check;
alter table partner_exchanges drop constraint partner_exchanges_check1;
update partner_exchanges set state = 'review' where state = 'held';
alter table partner_exchanges add constraint partner_exchanges_state_check
  check (state in ('intended', 'opened', 'finished', 'returning', 'returned', 'abandoned', 'review'));
alter table partner_exchanges add constraint partner_exchanges_opened_check
  check (state in ('intended', 'abandoned', 'review') or (partner_id is not null and deposit_address is not null));

alter table kill_switches drop constraint kill_switches_direction_check;
update kill_switches set direction = case direction when 'give' then 'from' when 'get' then 'to' else direction end;
alter table kill_switches add constraint kill_switches_direction_check check (direction in ('from', 'to', 'both'));

-- The terms of an order, in its snapshot and in the event that created it.
create function rename_order_terms(terms jsonb) returns jsonb language sql immutable as $$
  select (terms - array['give', 'get', 'claimedGive', 'minGive', 'maxGive', 'quoted']) || jsonb_build_object(
    'from', terms->'give',
    'to', terms->'get',
    'claimedDepositAmount', terms->'claimedGive',
    'minAmount', terms->'minGive',
    'maxAmount', terms->'maxGive',
    'quoted', ((terms->'quoted') - array['get', 'market']) || jsonb_build_object(
      'amountTo', terms->'quoted'->'get',
      'market', jsonb_build_object(
        'fromPriceUsd', terms->'quoted'->'market'->'givePriceUsd',
        'toPriceUsd', terms->'quoted'->'market'->'getPriceUsd')))
$$;
update orders set snapshot = jsonb_set(snapshot, '{terms}', rename_order_terms(snapshot->'terms'));
update orders set snapshot = (snapshot - 'askedAt') || jsonb_build_object('offeredAt', snapshot->'askedAt')
  where snapshot ? 'askedAt';
alter table order_events disable trigger order_events_append_only;
update order_events set data = jsonb_set(data, '{terms}', rename_order_terms(data->'terms')) where kind = 'CREATION_END';
alter table order_events enable trigger order_events_append_only;
drop function rename_order_terms(jsonb);
