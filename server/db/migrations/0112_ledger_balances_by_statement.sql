-- Balances once for each statement: an order may be paid by thousands of deposits, and a row that is updated as often in one transaction costs
-- more with each time, while everybody else waits for the account.
create function ledger_apply_entries() returns trigger language plpgsql as $$
begin
  -- One order of locks for all, and none that waits for those of the references.
  perform 1 from ledger_accounts where id in (select account_id from added) order by id for no key update;
  update ledger_accounts a set balance = a.balance + s.amount
  from (select account_id, sum(amount) as amount from added group by account_id) s where a.id = s.account_id;
  return null;
end $$;
drop trigger ledger_entries_apply on ledger_entries;
create trigger ledger_entries_apply after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_apply_entries();
drop function ledger_apply_entry();
