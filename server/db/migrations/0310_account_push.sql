-- The person switched their account's notifications on in the profile: the end of an order's ones leaves them.
alter table push_subscriptions add column is_asked_for boolean not null default false;
