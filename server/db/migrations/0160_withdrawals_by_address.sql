-- What all accounts withdraw to one address is judged together.
create index withdrawals_of_address on withdrawals (address, created_at);
