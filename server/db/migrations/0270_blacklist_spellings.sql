-- An entry is compared as the mailbox it reaches: without what follows a plus sign, and without the dots of a Gmail address.
-- `lower` of an address without an at sign is the same as before. Addresses in other spellings than ours have to be listed again.
insert into blacklist (value, created_at)
  select mail_recipient(value), min(created_at) from blacklist where value <> mail_recipient(value) group by 1
  on conflict do nothing;
delete from blacklist where value <> mail_recipient(value);
