-- Whose an archived order is, when it was made and how it ended: an account's list finds it without reading its document.
alter table archived_orders add column user_id bigint, add column created_at timestamptz, add column state text;
update archived_orders set
  user_id = (document #>> '{orders,0,user_id}')::bigint,
  created_at = (document #>> '{orders,0,created_at}')::timestamptz,
  state = document #>> '{orders,0,state}';
alter table archived_orders alter column created_at set not null, alter column state set not null;
create index archived_orders_of_user on archived_orders (user_id, created_at) where user_id is not null;
