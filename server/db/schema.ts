import type { Locale } from "#contract/locale.ts";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** USD scaled by 10^18. */
type HistoricPrice = { symbol: string; at: Time; price: bigint };
type Json = JSONColumnType<Record<string, unknown>>;
type Time = ColumnType<Date, Date, Date>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** Rows as the database holds them; money is bigint minor units, never a number. */
export type Schema = {
  /** An exchange order: its state and snapshot, which its events rebuild, and what loops look for. */
  orders: {
    id: string;
    reference: string;
    version: number;
    state: string;
    snapshot: Json;
    from_slug: string;
    to_slug: string;
    rate_mode: "FIXED" | "FLOATING";
    client_key: string;
    /** Of an IPv6 client: limits count its /48 too. */
    client_network: ColumnType<string | null, string | null | undefined, string | null>;
    locale: Generated<Locale>;
    user_email: string | null;
    email_set_at: NullableTime;
    /** False while only the order's id was known to whoever set the email. */
    is_email_confirmed: Generated<boolean>;
    referrer_id: string | null;
    utm_data: JSONColumnType<Record<string, unknown>> | null;
    next_attempt_at: NullableTime;
    waiting_for: string | null;
    refund_fee: bigint | null;
    refund_fee_at: NullableTime;
    created_at: Time;
    completed_at: NullableTime;
    user_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    /** When it expires, while nobody has paid it. */
    unpaid_until: NullableTime;
    /** Until when a price binds us that the customer may still leave, and for how much of `from_slug`. */
    exposed_until: NullableTime;
    exposed_amount: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    /** A digest of the browser and the address that made it; null where no browser was named. */
    client_hash: ColumnType<string | null, string | null | undefined, string | null>;
    /** Until when it waits for its customer before operators are notified. */
    choice_until: NullableTime;
    /** When a restore put back its refund that waits, until a worker has begun that wait anew. */
    restored_at: NullableTime;
  };
  /** The ids of an account's referral links. */
  referrer_ids: { referrer_id: string; user_id: bigint; created_at: Time };
  /** Browser and address of an account, as a digest: nobody earns by their own exchanges. */
  user_clients: { user_id: bigint; client_hash: string; network_hash: string | null; seen_at: Time };
  /** How often an account's referral links were opened, by day. */
  referral_clicks: { user_id: bigint; day: ColumnType<string, string, never>; clicks: number };
  /** What an account earned by one order, or by an adjustment. */
  wallet_credits: {
    id: Generated<bigint>;
    public_id: Generated<string>;
    user_id: bigint;
    source: "AFFILIATE" | "CASHBACK" | "MARKUP" | "ADJUSTMENT";
    slug: string;
    amount: bigint;
    state: "completed" | "review" | "rejected" | "reversed";
    review_reason: string | null;
    order_id: string | null;
    order_reference: string | null;
    /** What of a reversed one had been withdrawn. */
    lost: Generated<bigint>;
    /** Of a debit what its wallet had too little for: it is taken from what the account is credited next. */
    outstanding: Generated<bigint>;
    version: Generated<number>;
    created_at: Time;
  };
  /** What an account takes out of its earnings; its payment is a row of `payouts`. */
  withdrawals: {
    id: Generated<bigint>;
    public_id: Generated<string>;
    user_id: bigint;
    slug: string;
    network: string;
    address: string;
    amount: bigint;
    network_fee: bigint;
    paid_slug: string | null;
    paid_amount: bigint | null;
    quoted_amount: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    corrected: Generated<bigint>;
    /** The unknown payment by which an operator approved it. */
    approved_by_tx: ColumnType<string | null, never, string | null>;
    state: "review" | "approved" | "settled" | "rejected";
    review_reason: string | null;
    client_key: string;
    call_hash: string | null;
    created_at: Time;
    ended_at: NullableTime;
  };
  /** An account whose earnings are withdrawn after each month; `month` is the last one that was decided. */
  monthly_payouts: {
    user_id: bigint;
    address: string;
    slug: string | null;
    set_at: Time;
    month: string;
    outcome: "paid" | "too_little" | "refused" | null;
  };
  /** Hashes of the tokens that stop a waiting refund. */
  refund_stop_tokens: { token_hash: Buffer; order_id: string; created_at: Generated<Date> };
  /** A refund that its customer has stopped, until an operator releases it. */
  stopped_refunds: {
    order_id: string;
    network: string;
    stopped_at: Time;
    released_at: NullableTime;
    to_address: string | null;
    to_memo: string | null;
  };
  /** A job that fails: how often in a row, and until when it pauses. */
  job_failures: {
    queue: string;
    job_id: string;
    failures: number;
    last_error: string;
    since: Generated<Date>;
    paused_until: Time;
  };
  /** An order whose customer has not chosen in time, as operators see it. */
  undecided_orders: {
    order_id: string;
    network: string;
    reason: string;
    slug: string;
    received: bigint;
    held_at: Generated<Date>;
    refund_requested_at: NullableTime;
    to_address: string | null;
    to_memo: string | null;
    last_error: string | null;
  };
  /** An account. */
  users: {
    id: Generated<bigint>;
    telegram_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    email: ColumnType<string | null, string | null | undefined, string | null>;
    email_confirmed_at: NullableTime;
    locale: Generated<Locale>;
    permissions: Generated<"USER" | "ADMIN">;
    admin_scope: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
    /** For life. */
    referrer_user_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    deleted_at: NullableTime;
    created_at: Generated<Date>;
  };
  /** The password of an account. */
  credentials: { user_id: bigint; password_hash: string; changed_at: Time };
  /** A browser in which an account was signed in: its failed sign-ins are counted apart. */
  known_browsers: { token_hash: Buffer; user_id: bigint; used_at: Time };
  /** Failed proofs, by a digest of whom they were for and who tried. */
  failed_attempts: { key: Buffer; failures: number; last_at: Time; blocked_until: NullableTime };
  /** The code that an account was mailed, one for each purpose. */
  mailed_codes: {
    user_id: bigint;
    purpose: "password_reset" | "email_change";
    code_hash: string;
    email: string;
    client_hash: Buffer | null;
    tries_left: number;
    created_at: Generated<Date>;
  };
  /** The TOTP secret of an account, sealed. */
  second_factors: { user_id: bigint; secret: Buffer; confirmed_at: NullableTime; last_step: Generated<bigint> };
  /** A partner's key of the signed API; its secret is sealed. */
  api_keys: {
    id: string;
    user_id: bigint;
    public_key: string;
    secret: Buffer;
    name: string;
    white_list_ip: string;
    is_active: Generated<boolean>;
    created_at: Time;
    last_used_at: NullableTime;
  };
  /** An order that a partner's key created, with the partner's id and markup. */
  partner_orders: {
    n: Generated<bigint>;
    cursor: Generated<string>;
    order_id: string;
    user_id: bigint;
    external_id: string | null;
    markup_bps: number;
    created_at: Time;
  };
  /** An order of a sandbox whose outcome its integrator asked for. */
  rehearsals: {
    order_id: string;
    outcome: "slow" | "wrong-amount" | "volatility" | "partner-fails" | "refund";
    amount: bigint;
    pay_after: Time;
    paid_at: NullableTime;
    waits_since: NullableTime;
    ended_at: NullableTime;
  };
  /** An address that a partner's events are sent to. */
  webhooks: {
    id: string;
    user_id: bigint;
    url: string;
    secret: Buffer;
    failures: Generated<number>;
    created_at: Time;
  };
  /** One event for one webhook, until it is delivered or abandoned. */
  webhook_deliveries: {
    n: Generated<bigint>;
    id: Generated<string>;
    webhook_id: string;
    order_id: Generated<string | null>;
    type: "order.updated" | "test";
    state: Generated<"pending" | "delivered" | "dead">;
    body: Generated<string | null>;
    attempts: Generated<number>;
    created_at: Generated<Date>;
    retried_since: Generated<Date>;
    next_attempt_at: NullableTime;
    last_attempt_at: NullableTime;
    last_status: Generated<number | null>;
    last_error: Generated<string | null>;
    delivered_at: NullableTime;
  };
  /** Since when the used signatures are complete; one row. */
  signature_log: { is_only: Generated<boolean>; complete_since: Time };
  /** The signature of a partner's call, which counts once. */
  used_signatures: { signature: Buffer };
  /** Hashes of the codes that replace a second factor. */
  recovery_codes: { user_id: bigint; code_hash: Buffer };
  /** Who caused a mail about an account, as digests: a client's mails have a limit. */
  account_mail_counts: {
    outbox_id: bigint;
    kind: "welcome" | "email_change" | "warning" | "reset" | "notice";
    recipient_hash: Buffer;
    client_hash: Buffer | null;
    network_hash: Buffer | null;
    counted_at: Generated<Date>;
  };
  /** A check of an account's identity. */
  verifications: {
    id: Generated<bigint>;
    user_id: bigint;
    client_hash: Buffer | null;
    status: "CREATED" | "PROCESS" | "PASS" | "REJECT";
    reject_reason: ColumnType<string | null, string | null | undefined, string | null>;
    created_at: Time;
    decided_at: NullableTime;
    documents_deleted_at: NullableTime;
  };
  /** A form or photo of such a check, sealed. */
  verification_documents: {
    verification_id: bigint;
    kind: "form" | "face" | "front" | "back";
    key_id: string;
    sealed: Buffer;
  };
  /** How often an account sent the form on a day. */
  verification_tries: { user_id: bigint; day: Time; tries: number };
  /** An update that the Telegram bot has received, so that it is answered once. */
  bot_updates: { update_id: bigint; seen_at: Generated<Date> };
  /** A sign-in of an account. */
  sessions: {
    id: string;
    user_id: bigint;
    kind: "local" | "telegram";
    device: string | null;
    created_at: Time;
    last_used_at: Time;
    authenticated_at: Time;
    expires_at: Time;
    ended_at: NullableTime;
  };
  /** Hashes of a session's tokens. */
  session_tokens: {
    token_hash: Buffer;
    session_id: string;
    kind: "access" | "refresh";
    expires_at: Time;
    used_at: NullableTime;
  };
  /** What happened to an order, in its order; rows are only added. */
  order_events: { order_id: string; seq: number; kind: string; data: Json; at: Time };
  /** An address that we gave out, and what its balance check knows of it. */
  deposit_addresses: {
    network: string;
    address: string;
    derivation_index: bigint;
    memo: string | null;
    order_id: string | null;
    exchange_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    watched_from: ColumnType<number | null, number | null | undefined, number | null>;
    initial_balance: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    next_look_at: Generated<Date>;
    look_seconds: Generated<number>;
    settled_balance: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    settled_sweep: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    settled_deposit: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  };
  /** An order that was finished long ago, as one document. */
  archived_orders: {
    id: string;
    reference: string;
    archived_at: Generated<Date>;
    user_id: bigint | null;
    created_at: Time;
    state: string;
    document: Json;
  };
  /** How many orders were completed before a moment; one row. */
  completed_orders: { only_row: Generated<boolean>; counted_until: Time; count: bigint };
  /** How often a pair was exchanged before that moment. */
  completed_pairs: { from_slug: string; to_slug: string; count: bigint; last_completed_at: Time };
  /** The next index of a deposit address, by address space. */
  deposit_indexes: { address_space: string; next: bigint };
  /** Where an address space begins that has no count yet: above every index that was issued; one row. */
  first_deposit_index: { only_row: Generated<boolean>; value: bigint };
  /** Coins that arrived at an address of ours; a row of a transfer, not of a transaction. */
  deposits: {
    id: Generated<bigint>;
    network: string;
    tx_id: string;
    output_index: number;
    address: string;
    slug: string;
    amount: bigint;
    order_id: string | null;
    block_height: number | null;
    block_hash: string | null;
    /** A node's mempool shows it, and no canonical block. */
    in_mempool: Generated<boolean>;
    detected_at: Time;
    /** When it was first in a block. */
    mined_at: NullableTime;
    /** Since when it is in no block and no mempool. */
    gone_since: NullableTime;
    credited_at: NullableTime;
    review_reason: string | null;
    returned_at: NullableTime;
    sweep_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    exchange_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    refund_requested_at: NullableTime;
    refund_address: string | null;
    refund_memo: string | null;
  };
  /** A move of credited deposits from one address to the hot wallet. */
  sweeps: {
    id: Generated<bigint>;
    network: string;
    address: string;
    derivation_index: bigint;
    slug: string;
    amount: bigint;
    state: "planned" | "moving" | "done";
    next_attempt_at: NullableTime;
    created_at: Time;
    failures: Generated<number>;
    last_error: string | null;
    review_reason: string | null;
    review_at: NullableTime;
  };
  /** What an order by card has at its provider. */
  card_orders: {
    id: Generated<bigint>;
    order_id: string;
    user_id: bigint;
    provider: string;
    direction: "buy" | "sell";
    merchant_id: string;
    attempts: Generated<number>;
    phase: "opening" | "open" | "ended" | "abandoned";
    opened_attempt: number | null;
    created_at: Generated<Date>;
    next_attempt_at: NullableTime;
    review_at: NullableTime;
    operator_end: "closed" | "done" | "refunded" | null;
    operator_end_by: string | null;
    operator_end_confirmed_by: string | null;
  };
  /** An exchange at a liquidity partner that fills an order. */
  partner_exchanges: {
    id: Generated<bigint>;
    order_id: string;
    n: number;
    client_id: string;
    partner: string;
    from_slug: string;
    to_slug: string;
    amount: bigint;
    expected: bigint;
    to_address: string;
    to_memo: string | null;
    refund_address: string | null;
    refund_memo: string | null;
    state: "intended" | "opened" | "finished" | "returning" | "returned" | "abandoned" | "review";
    unknown_openings: Generated<number>;
    openings: Generated<number>;
    partner_id: string | null;
    deposit_address: string | null;
    deposit_memo: string | null;
    expires_at: NullableTime;
    partner_status: string | null;
    reason: string | null;
    payout_tx_id: string | null;
    delivered: bigint | null;
    returned: bigint | null;
    next_attempt_at: NullableTime;
    created_at: Time;
    opened_at: NullableTime;
    opened_height: number | null;
    finish_reported_at: NullableTime;
    doubted_tx_id: string | null;
    doubted_amount: bigint | null;
  };
  /** A payment from one of our addresses, of any purpose. */
  payouts: {
    id: Generated<bigint>;
    order_id: string | null;
    deposit_id: bigint | null;
    sweep_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    exchange_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    withdrawal_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    purpose: "payout" | "refund" | "sweep" | "gas" | "funding" | "withdrawal" | "consolidation";
    route: Generated<"treasury" | "partner">;
    network: string;
    slug: string;
    to_address: string;
    to_memo: string | null;
    amount: bigint;
    state: "intended" | "broadcast" | "mined" | "final" | "review" | "returned";
    review_reason: string | null;
    mined_height: number | null;
    mined_hash: string | null;
    next_attempt_at: NullableTime;
    created_at: Time;
    failures: Generated<number>;
    last_error: string | null;
    resend_at: NullableTime;
    review_at: NullableTime;
    refund_requested_at: NullableTime;
    refund_address: string | null;
    refund_memo: string | null;
    refund_beside: Generated<string[]>;
    replace_at: NullableTime;
    replacements: Generated<number>;
    stuck_at: NullableTime;
    stuck_reason: string | null;
    over_charge_since: NullableTime;
    short_since: NullableTime;
    queued_at: NullableTime;
    spent: ColumnType<bigint | null, never, bigint>;
    arrived: ColumnType<bigint | null, never, bigint>;
    approval: ColumnType<unknown, string | null | undefined, string | null>;
    approval_proposed_by: ColumnType<string | null, string | null | undefined, string | null>;
    approval_confirmed_by: ColumnType<string | null, string | null | undefined, string | null>;
    pays_without_deposit: Generated<boolean>;
    /** Set by a trigger, for the sums of an hour. */
    client_key: ColumnType<string | null, never, never>;
  };
  /** What a payment spends once (a nonce, an outpoint), reserved while it may. */
  payout_handles: {
    id: Generated<bigint>;
    network: string;
    key: string;
    payout_id: bigint;
    data: Json;
    released_at: NullableTime;
    used_at: NullableTime;
    /** The unknown payments beside which nothing that was signed with it can reach the chain. */
    excluded_by: ColumnType<string[], never, string[]>;
  };
  /** Signed bytes of a payment, stored before they are sent. */
  payout_attempts: {
    payout_id: bigint;
    n: number;
    network: string;
    tx_id: string;
    raw: string;
    status: "prepared" | "broadcast" | "mined" | "dead";
    prepared_at: Time;
    broadcast_at: NullableTime;
    replaces: number | null;
    excludes_replaced: Generated<boolean>;
    max_cost: ColumnType<bigint | null, bigint | null | undefined, never>;
    amount: ColumnType<bigint | null, bigint | null | undefined, bigint>;
  };
  /** A payment from a hot wallet that no row knows, and what was decided of it. */
  unknown_payments: {
    network: string;
    tx_id: string;
    height: number | null;
    pays: ColumnType<unknown, never, never>;
    handle: ColumnType<unknown, never, never>;
    /** What has left by one that does not show whom it pays; both null where the wallet doesn't say. */
    sent_slug: string | null;
    sent_amount: bigint | null;
    found_at: Time;
    decision: "booked" | "not ours" | "to ourselves" | null;
    payout_id: bigint | null;
    /** What it was booked as before that was taken back. */
    unbooked_payout_id: ColumnType<bigint | null, never, bigint>;
    /** When a node was last asked for one that was booked and did not know it; null where one shows it. */
    absent_at: NullableTime;
    decided_at: NullableTime;
    fee: bigint | null;
    settled_at: NullableTime;
  };
  /** A move from a deposit address to the hot wallet that no row knew, and the payment that it was found to be. */
  unknown_sweeps: {
    network: string;
    tx_id: string;
    height: number;
    address: string;
    slug: string;
    amount: bigint;
    found_at: Time;
    payout_id: bigint | null;
    ended_at: NullableTime;
  };
  /** Which chain and which keys a network's rows belong to. */
  network_identities: { network: string; chain: string; keys: string };
  /** Where the follower of a network began, and what its payments wait for. */
  followed_networks: {
    network: string;
    first_height: number;
    unread_since: NullableTime;
    restored_at: NullableTime;
    waits_for: string | null;
    held_since: NullableTime;
    held_for: string | null;
    held_keys: Generated<string[]>;
    skipped_keys: Generated<string[]>;
  };
  /** An empty payment to ourselves on the handle of a payment that its node refuses: a block takes one of the two. */
  payout_cancellations: {
    payout_id: bigint;
    n: number;
    network: string;
    tx_id: string;
    raw: string;
    status: "prepared" | "mined" | "dead";
    prepared_at: Time;
  };
  /** A payment to ourselves that spends the change of a stuck attempt and pays for both. */
  payout_children: {
    payout_id: bigint;
    n: number;
    network: string;
    tx_id: string;
    raw: string;
    pays_for: string;
    max_cost: bigint;
    nonce: number | null;
    status: "prepared" | "mined" | "dead";
    prepared_at: Time;
  };
  /** What an operator changed, and why; rows are only added. */
  operator_actions: {
    id: Generated<bigint>;
    at: Generated<Date>;
    operator: string;
    action: string;
    subject: string;
    before: Json;
    after: Json;
    reason: string;
  };
  /** An operator's change that the security log has not got yet; a trigger adds it. */
  unwritten_actions: { action_id: bigint };
  /** An address or email that nothing is exchanged for. */
  blacklist: { value: string; created_at: Generated<Date> };
  /** A correction of the books that two operators agree on. */
  adjustments: {
    id: Generated<bigint>;
    network: string;
    slug: string;
    account: "hot" | "deposits" | "suspense";
    amount: bigint;
    reason: string;
    proposed_by: string;
    proposed_at: Generated<Date>;
    confirmed_by: string | null;
    confirmed_at: NullableTime;
    withdrawn_by: string | null;
    withdrawn_at: NullableTime;
    is_unmeasured: Generated<boolean>;
    payout_id: bigint | null;
    sweep_id: bigint | null;
    order_id: string | null;
    surplus_id: bigint | null;
  };
  /** A deposit address that holds less than its credited deposits. */
  deposit_drifts: {
    id: Generated<bigint>;
    network: string;
    address: string;
    slug: string;
    expected: bigint;
    actual: bigint;
    booked: Generated<bigint>;
    found_at: Generated<Date>;
    measured_at: Generated<Date>;
  };
  /** Coins in a hot wallet that the books don't explain. */
  surpluses: {
    id: Generated<bigint>;
    network: string;
    slug: string;
    amount: bigint;
    found_at: Generated<Date>;
    ended_at: NullableTime;
  };
  /** Coins that an operator is about to add to a hot wallet; `amount` is what has not arrived yet. */
  expected_top_ups: {
    id: Generated<bigint>;
    network: string;
    slug: string;
    amount: bigint;
    expected_by: string;
    created_at: Generated<Date>;
    expires_at: Time;
    ended_at: NullableTime;
  };
  /** The sum of all accounts' earnings in an instrument. */
  wallet_sums: { slug: string; balance: bigint };
  /** The newest blocks of a network, as we have read them. */
  chain_tail: { network: string; height: number; hash: string; parent_hash: string };
  /** An account of the ledger in one instrument, with its balance. */
  ledger_accounts: {
    id: Generated<bigint>;
    name: string;
    slug: string;
    may_be_negative: boolean;
    /** Whose wallet it is; null for our own accounts. */
    user_id: ColumnType<bigint | null, bigint | null | undefined, never>;
    balance: Generated<bigint>;
  };
  /** A booking; its entries add up to zero. */
  ledger_transfers: { id: Generated<bigint>; kind: string; source_id: string; at: Time };
  /** One account's part of a booking. */
  ledger_entries: { transfer_id: bigint; account_id: bigint; amount: bigint };
  /** The prices of all instruments at a moment. */
  price_snapshots: {
    at: Time;
    prices: JSONColumnType<Record<string, string>>;
    fees: JSONColumnType<Record<string, string>>;
    partners: ColumnType<unknown, string | undefined, string>;
  };
  /** A price that somebody set in the sandbox. */
  market_overrides: { slug: string; price: string; at: Time };
  /** The price of a coin, by minutes. */
  price_minutes: HistoricPrice;
  /** The same by hours. */
  price_hours: HistoricPrice;
  /** The same by days. */
  price_days: HistoricPrice;
  /** Up to when a coin's history was filled from the venues' candles. */
  price_backfills: { symbol: string; prices: string; filled_until: Time };
  /** The answer of a call that named an idempotency key. */
  idempotency_keys: {
    route: string;
    key: string;
    request_hash: string;
    status: number | null;
    answer: JSONColumnType<Record<string, unknown>> | null;
    created_at: Time;
  };
  /** What a hot wallet holds of an instrument, as last read. */
  hot_balances: {
    slug: string;
    amount: bigint;
    at: Time;
    over_cap: bigint | null;
    over_cap_since: NullableTime;
  };
  /** Every address that a hot wallet of ours has paid from. */
  hot_addresses: { network: string; address: string };
  /** A stop of quotes, orders or payments. */
  kill_switches: {
    action: "quote" | "accept" | "pay";
    scope: string;
    direction: "from" | "to" | "both";
    reason: string;
    at: Time;
    /** A follower's ends once its credited deposits are found again, the reconciler's once what it misses is booked or back. */
    cause: Generated<"operator" | "reconciler" | "follower">;
    /** What the reconciler misses, by instrument: minor units as text. */
    missing: Generated<Record<string, string>>;
    /** When it last measured that, by instrument. */
    measured_at: Generated<Record<string, string>>;
  };
  /** A value that all processes share, by its name. */
  settings: { key: string; value: JSONColumnType<Record<string, unknown>> };
  /** A message to a person, until it is sent or abandoned. */
  outbox: {
    id: Generated<bigint>;
    channel: "mail" | "telegram" | "push";
    /** Null in a mail about an account. */
    order_id: string | null;
    user_id: ColumnType<bigint | null, bigint | null | undefined, never>;
    recipient: ColumnType<string | null, string | null | undefined, never>;
    /** Digests of who caused a mail about an account. */
    client_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>;
    network_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>;
    topic: string;
    /** Of messages that are sent in their order. */
    subject: ColumnType<string | null, string | null | undefined, never>;
    source_key: string;
    payload: Json;
    state: Generated<"pending" | "sent" | "dead">;
    attempts: Generated<number>;
    unknown_results: Generated<number>;
    last_failure: string | null;
    next_attempt_at: ColumnType<Date | null, Date | undefined, Date | null>;
    created_at: ColumnType<Date, Date | undefined, Date>;
    sent_at: NullableTime;
    subscription_id: ColumnType<bigint | null, bigint | null | undefined, never>;
  };
  /** A message to the operator by the contact form. */
  inquiries: {
    id: Generated<bigint>;
    reference: string;
    form: Generated<"contact" | "authority">;
    client_hash: Buffer;
    network_hash: Buffer | null;
    block_hash: Buffer | null;
    state: Generated<"begun" | "pending" | "sending" | "sent" | "failed" | "unknown">;
    /** What it says and the file, until it was mailed. */
    mail: ColumnType<unknown, string | null | undefined, string | null>;
    file: Buffer | null;
    created_at: Generated<Date>;
  };
  /** A browser that is notified of an order or an account. */
  push_subscriptions: {
    id: Generated<bigint>;
    /** Null in one of an account, which is its session's. */
    order_id: ColumnType<string | null, string | null | undefined, never>;
    session_id: ColumnType<string | null, string | null | undefined, never>;
    /** Of a session: asked for in the profile, not with an order's. */
    is_asked_for: Generated<boolean>;
    endpoint: string;
    p256dh: string;
    auth: string;
    locale: Locale;
    expires_at: NullableTime;
    created_at: Generated<Date>;
  };
  /** The VAPID keys of a sandbox; one row. */
  sandbox_push_keys: { only_row: Generated<boolean>; public_key: string; private_key: string };
  /** A mail that a sandbox keeps in place of sending it. */
  sandbox_mails: {
    id: Generated<bigint>;
    message_id: string;
    order_id: string | null;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    locale: string;
    at: ColumnType<Date, Date | undefined, Date>;
  };
};
