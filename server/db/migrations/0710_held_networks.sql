-- Since when and why nothing is signed on a network, because its node's mempool has payments from the hot wallet that no row knows, or can't be
-- read; `held_keys` are their handles. `skipped_keys` are those that an operator lets payments go on beside.
alter table followed_networks
  add column held_since timestamptz,
  add column held_for text,
  add column held_keys text[] not null default '{}',
  add column skipped_keys text[] not null default '{}',
  add check ((held_since is null) = (held_for is null));
