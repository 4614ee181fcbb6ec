-- Which payment an unknown payment was booked as before an operator took that back: where it comes back, its recipient has it already.
alter table unknown_payments add column unbooked_payout_id bigint references payouts (id) on delete set null;
-- The unknown payment by which a withdrawal was approved, as the operators' record has it; null where it was approved for itself.
alter table withdrawals add column approved_by_tx text;
update withdrawals w set approved_by_tx = a.after->>'paidBy'
from operator_actions a
where w.state = 'approved' and a.subject = 'withdrawal ' || w.id and a.action = 'withdrawal approve' and a.after->>'paidBy' is not null;
