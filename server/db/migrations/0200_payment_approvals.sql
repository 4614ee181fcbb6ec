-- The payment that two operators have approved, or one has proposed, because it is worth more than one signature may move.
alter table payouts add column approval jsonb;
alter table payouts add column approval_proposed_by text;
alter table payouts add column approval_confirmed_by text;
alter table payouts add constraint payouts_approved_by_two check (
  (approval is null) = (approval_proposed_by is null)
  and (approval_confirmed_by is null or lower(approval_confirmed_by) <> lower(approval_proposed_by))
  and (approval_confirmed_by is null or approval_proposed_by is not null)
);
