-- What a withdrawal was decided to pay in another coin, while it says what it has paid; and what that has put back into its wallet, or taken from it
-- below zero, in the coin of the wallet.
alter table withdrawals add column quoted_amount numeric(78, 0), add column corrected numeric(78, 0) not null default 0;
update withdrawals set corrected = amount - network_fee - paid_amount where state = 'approved' and paid_slug = slug;
