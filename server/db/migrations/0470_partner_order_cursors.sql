-- A partner's cursor names a row by what it can't count: `n` would tell how many orders all partners make.
alter table partner_orders add column cursor uuid not null default gen_random_uuid() unique;
