-- What a wallet had too little for when it was taken: it is taken from what the account is credited next, before anything is withdrawn.
alter table wallet_credits add column outstanding numeric(78,0) not null default 0,
  add constraint wallet_credits_outstanding
    check (outstanding = 0 or (outstanding > 0 and outstanding <= -amount and state = 'completed'));
create index wallet_credits_of_outstanding on wallet_credits (user_id, slug) where outstanding > 0;
