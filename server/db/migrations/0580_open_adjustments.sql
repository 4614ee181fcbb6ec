-- Those that wait for a second operator: the metrics count them every few seconds, and decided ones stay for ever.
create index adjustments_open on adjustments (id) where confirmed_at is null and withdrawn_at is null;
