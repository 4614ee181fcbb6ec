-- Messages that were given up, for the metric of those of the last day.
create index outbox_dead on outbox (created_at) where state = 'dead';
