-- What an operator or a returning block frees again is found without reading everything that ever came or left.
create index deposits_held on deposits (network) where held_reason is not null;
create index payouts_held on payouts (id) where state = 'held';
create index payouts_mined on payouts (network, mined_height) where state = 'final';
