-- contract §8: a newer code ends the older. Whoever else asks for one, from another client, ends none that the owner has.
alter table mailed_codes add column client_hash bytea;
