-- A deposit is sent back or counts for an order. One whose return was requested waits in review until it is sent.
update deposits set refund_requested_at = null where refund_requested_at is not null and returned_at is null and review_reason is null;
alter table deposits add constraint deposits_refunded_from_review
  check (refund_requested_at is null or returned_at is not null or review_reason is not null);
