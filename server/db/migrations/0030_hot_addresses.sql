-- Every address that a hot wallet of ours has ever paid from: nobody is paid there. Written by workers, read by roles without keys.
create table hot_addresses (
  network text not null,
  address text not null,
  primary key (network, address)
);
