-- Set by a restore where a refund waits that its owner may have stopped since the backup; null once a worker has begun its wait anew.
alter table orders add column restored_at timestamptz;
