-- When a node was last asked for a payment that was booked, or is undecided after it was, and did not know it; null where one shows it.
alter table unknown_payments add column absent_at timestamptz;
-- A booked payment says the block that has it now: these are in none.
update unknown_payments u set height = null from payouts p
where p.id = u.payout_id and u.decision = 'booked' and p.stuck_reason = 'booked_and_gone';
