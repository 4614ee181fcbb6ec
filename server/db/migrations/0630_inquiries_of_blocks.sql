-- A party that has many networks has them in one block of addresses.
alter table inquiries add column block_hash bytea;
create index inquiries_of_block on inquiries (block_hash, created_at) where block_hash is not null;
