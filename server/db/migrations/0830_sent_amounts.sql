-- What has left the hot wallet, beside the fee, by an unknown payment of which its network hides whom it pays; null where the wallet doesn't say.
alter table unknown_payments
  add column sent_slug text,
  add column sent_amount numeric(78, 0),
  add check ((sent_slug is null) = (sent_amount is null));
