-- Removing an attempt, as the archive does, looks for what has paid for it.
create index payout_children_of_attempt on payout_children (network, pays_for);
