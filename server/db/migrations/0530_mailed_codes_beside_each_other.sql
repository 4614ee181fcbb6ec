-- A code that a stranger asked for ends none that the owner has: several of an account and a purpose are valid at a time. Those that were
-- mailed before have a salt of their own, by which none is found among several; they would end within half an hour.
delete from mailed_codes;
alter table mailed_codes drop constraint mailed_codes_pkey, add primary key (user_id, purpose, code_hash);

-- Codes for a change of email and warnings are counted apart from welcomes, which strangers cause.
alter table account_mail_counts drop constraint account_mail_counts_kind_check;
update account_mail_counts set kind = 'welcome' where kind = 'request';
alter table account_mail_counts
  add check (kind in ('welcome', 'email_change', 'warning', 'reset', 'notice'));
