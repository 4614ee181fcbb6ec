-- Whose form it was, as a digest: accounts cost nothing, and each check takes megabytes until it is decided.
alter table verifications add column client_hash bytea;
create index verifications_of_client on verifications (client_hash, created_at) where client_hash is not null;
