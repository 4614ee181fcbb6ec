-- Since when the order waits for its customer: the sandbox, which plays that customer, lets a program see it before it asks for the refund.
alter table rehearsals add column waits_since timestamptz;
