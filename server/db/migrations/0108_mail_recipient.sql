-- Gmail ignores dots in a name and has two domains: all spellings are one recipient.
drop index orders_mailed_recipient;
create or replace function mail_recipient(email text) returns text language sql immutable strict parallel safe
  return case
    when lower(email) ~ '@(gmail|googlemail)\.com$'
      then replace(lower(regexp_replace(split_part(email, '@', 1), '\+.*$', '')), '.', '') || '@gmail.com'
    else lower(regexp_replace(email, '\+[^@]*@', '@')) end;
create index orders_mailed_recipient on orders (mail_recipient(user_email), email_set_at)
  where user_email is not null and state in ('awaiting_deposit', 'expired');
