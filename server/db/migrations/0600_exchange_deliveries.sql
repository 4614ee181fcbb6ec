-- What a partner reports as its payment must be newer than the exchange, shown by our node in time, and no other payment.
alter table partner_exchanges add column opened_height integer;
alter table partner_exchanges add column finish_reported_at timestamptz;
-- What it has delivered while that is not what was expected: an operator may accept it.
alter table partner_exchanges add column doubted_tx_id text;
alter table partner_exchanges add column doubted_amount numeric(78,0) check (doubted_amount > 0);
alter table partner_exchanges add constraint partner_exchanges_doubted_check
  check ((doubted_tx_id is null) = (doubted_amount is null) and (doubted_tx_id is null or state = 'review'));
create index partner_exchanges_payout_tx on partner_exchanges (payout_tx_id) where payout_tx_id is not null;
