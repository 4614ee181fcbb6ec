-- The mails that unpaid orders caused are counted by whom they went to, whatever tag the address has, and by who made them.
create function mail_recipient(email text) returns text language sql immutable strict parallel safe
  return lower(regexp_replace(email, '\+[^@]*@', '@'));
create index orders_mailed_recipient on orders (mail_recipient(user_email), email_set_at)
  where user_email is not null and state in ('awaiting_deposit', 'expired');
create index orders_mailed_client on orders (client_key, email_set_at)
  where user_email is not null and state in ('awaiting_deposit', 'expired');
create index orders_mailed_network on orders (client_network, email_set_at)
  where user_email is not null and client_network is not null and state in ('awaiting_deposit', 'expired');
