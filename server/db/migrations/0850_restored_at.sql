-- When a network was last marked as unread by a restore: what its chain shows since, and no row knows, may be a withdrawal whose row is lost.
alter table followed_networks add column restored_at timestamptz;
update followed_networks set restored_at = coalesce(unread_since, (select min(found_at) from unknown_payments where decision is null));
