-- An operator's adjustment may also take something from a wallet.
alter table wallet_credits drop constraint wallet_credits_amount_check, drop constraint wallet_credits_check,
  add constraint wallet_credits_sign check (amount > 0 or (amount < 0 and source = 'ADJUSTMENT')),
  add constraint wallet_credits_lost check (lost >= 0 and lost <= abs(amount));
