-- Emails are compared without case in every alphabet, whatever the locale of the database, and as they look: full-width letters and the sign
-- of kelvins are the letters that they stand for. server/base/folded-email.ts gives the same.
-- Before PostgreSQL 17 by ICU, which writes a last sigma otherwise and a dotted I as two characters: both are made alike everywhere.
do $$
declare
  unicode text := (select quote_ident(collname) from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') order by collname limit 1);
begin
  if unicode is null then raise exception 'this PostgreSQL compares letters of other alphabets neither by itself (17 and newer) nor by ICU'; end if;
  execute format($f$
    create function folded_email(email text) returns text language sql immutable strict parallel safe
      return translate(lower(translate(normalize(email, nfkc), U&'\0130', 'i') collate %s), U&'\03c2', U&'\03c3')$f$, unicode);
end $$;

-- Of accounts that turn out to have one email, whoever could sign in so far keeps it. The others keep theirs under a domain that is nobody's,
-- where a session of theirs may change it.
update users u set email = u.email || '.duplicate-' || u.id
from (
  select id, row_number() over (
    partition by folded_email(email) order by lower(email) = folded_email(email) desc, email_confirmed_at is null, id
  ) as place
  from users where email is not null
) ranked
where ranked.id = u.id and ranked.place > 1;

drop index users_email;
create unique index users_email on users (folded_email(email)) where email is not null;

drop index orders_mailed_recipient;
create or replace function mail_recipient(email text) returns text language sql immutable strict parallel safe
  return case
    when folded_email(email) ~ '@(gmail|googlemail)\.com$'
      then replace(regexp_replace(split_part(folded_email(email), '@', 1), '\+.*$', ''), '.', '') || '@gmail.com'
    else regexp_replace(folded_email(email), '\+[^@]*@', '@') end;
create index orders_mailed_recipient on orders (mail_recipient(user_email), email_set_at)
  where user_email is not null and state in ('awaiting_deposit', 'expired');

insert into blacklist (value, created_at)
  select mail_recipient(value), min(created_at) from blacklist where value <> mail_recipient(value) group by 1
  on conflict do nothing;
delete from blacklist where value <> mail_recipient(value);
