-- Who is behind a payment, so that many small ones to one client are seen as one large one.
alter table payouts add column client_key text;
update payouts p set client_key = o.client_key from orders o where o.id = p.order_id and p.created_at > now() - interval '1 day';
update payouts p set client_key = w.client_key from withdrawals w where w.id = p.withdrawal_id and p.created_at > now() - interval '1 day';

create function set_payout_client() returns trigger language plpgsql as $$
begin
  new.client_key := coalesce(
    (select client_key from orders where id = new.order_id),
    (select client_key from withdrawals where id = new.withdrawal_id),
    (select o.client_key from deposits d join orders o on o.id = d.order_id where d.id = new.deposit_id)
  );
  return new;
end $$;
create trigger set_payout_client before insert on payouts for each row execute function set_payout_client();

create index payouts_recent_network on payouts (network, created_at) where purpose in ('payout', 'refund', 'funding', 'withdrawal');
create index payouts_recent_destination on payouts (to_address, created_at) where purpose in ('payout', 'refund', 'funding', 'withdrawal');
create index payouts_recent_client on payouts (client_key, created_at) where purpose in ('payout', 'refund', 'funding', 'withdrawal');
