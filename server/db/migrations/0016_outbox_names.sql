-- Deliveries with an unknown result: one is added before each attempt and taken back by its answer.
alter table outbox rename column doubts to unknown_results;
alter table outbox rename constraint outbox_doubts_check to outbox_unknown_results_check;

-- The amounts of a new order's message have the contract's names.
update outbox set payload = (payload - 'give' - 'get') || jsonb_build_object('from', payload -> 'give', 'to', payload -> 'get')
  where topic = 'created' and payload ? 'give';
