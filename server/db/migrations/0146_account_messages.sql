-- An account is written to by the bot too; `recipient` is then the chat.
do $$
declare mails_only text;
begin
  for mails_only in
    select conname from pg_constraint
    where conrelid = 'outbox'::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ 'user_id IS NULL.* OR .*channel = ''mail'''
  loop
    execute format('alter table outbox drop constraint %I', mails_only);
  end loop;
end $$;
alter table outbox add constraint outbox_account_channels check (user_id is null or channel in ('mail', 'telegram'));
