-- When the person first proved that they read the account's mailbox; null: whoever registered the address may be somebody else.
alter table users add column email_confirmed_at timestamptz;
