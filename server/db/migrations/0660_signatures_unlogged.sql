-- A row lives for a minute and a half, so that it is not worth the wait for the disk that half a signed call was. A crash, and a standby that
-- takes over, empties unlogged tables, both of these: without its row of signature_log, nobody knows which signatures were taken.
drop table used_signatures;
create unlogged table used_signatures (
  -- Six bytes of its time stamp's milliseconds, then its 32 bytes: those of one moment are neighbours in the index.
  signature bytea primary key check (octet_length(signature) = 38)
);
create unlogged table signature_log (
  is_only boolean primary key default true check (is_only),
  -- Each signature that was taken since then is in used_signatures.
  complete_since timestamptz not null
);
-- What was taken before is dropped with its table; nobody has signed anything for a new database.
insert into signature_log (complete_since) select case when exists (select from api_keys) then now() else 'epoch' end;
