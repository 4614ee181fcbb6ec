-- What an account is shown of its movements: a running number would tell how many all accounts have.
alter table wallet_credits add column public_id uuid not null default gen_random_uuid() unique;
alter table withdrawals add column public_id uuid not null default gen_random_uuid() unique;
