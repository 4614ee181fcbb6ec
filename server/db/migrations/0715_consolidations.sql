-- Payments to ourselves after a restore: they spend the coins that payments signed since the backup may spend.
alter table payouts drop constraint payouts_one_source;
alter table payouts add constraint payouts_one_source
  check (num_nonnulls(order_id, deposit_id, sweep_id, exchange_id, withdrawal_id) = case purpose when 'consolidation' then 0 else 1 end);
alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('payout', 'refund', 'sweep', 'gas', 'funding', 'withdrawal', 'consolidation')
    and (purpose in ('sweep', 'gas')) = (sweep_id is not null)
    and (purpose = 'funding') = (exchange_id is not null) and (purpose = 'withdrawal') = (withdrawal_id is not null));
create index payouts_consolidations on payouts (network, created_at) where purpose = 'consolidation';
create unique index payouts_one_consolidation_at_a_time on payouts (network)
  where purpose = 'consolidation' and state in ('intended', 'broadcast', 'review');
