-- The sum of all wallets of an instrument, so that the sum of its accounts costs no more the more accounts people have (engine law 17).
create table wallet_sums (
  slug text primary key,
  balance numeric(78,0) not null
);
-- Running workers post while this migration runs: what they post between the sum and the triggers would be missing for ever.
lock table ledger_accounts in share row exclusive mode;
insert into wallet_sums (slug, balance)
  select slug, sum(balance) from ledger_accounts where user_id is not null group by slug order by slug;

create function wallet_sums_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into wallet_sums as w (slug, balance)
      select slug, sum(balance) from added where user_id is not null group by slug having sum(balance) <> 0 order by slug
      on conflict (slug) do update set balance = w.balance + excluded.balance;
  else
    insert into wallet_sums as w (slug, balance)
      select n.slug, sum(n.balance - o.balance) from added n join removed o using (id)
      where n.user_id is not null group by n.slug having sum(n.balance - o.balance) <> 0 order by n.slug
      on conflict (slug) do update set balance = w.balance + excluded.balance;
  end if;
  return null;
end $$;
create trigger ledger_accounts_opened after insert on ledger_accounts referencing new table as added
  for each statement execute function wallet_sums_follow();
create trigger ledger_accounts_changed after update on ledger_accounts referencing old table as removed new table as added
  for each statement execute function wallet_sums_follow();
