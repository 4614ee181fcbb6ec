-- What a token's payment has moved that did not pay what was asked, once that is final and booked: it is never signed again or refunded.
alter table payouts add column spent numeric(78,0);
alter table payouts add column arrived numeric(78,0);
alter table payouts add constraint payouts_moved check ((spent is null) = (arrived is null) and (spent is null or (spent > 0 and state in ('review', 'final'))));
