export { networksWith } from "./network-traits.ts";

/** Blocks of each network that are stored: deeper than any reorganisation of a live network. */
export const TAIL_LENGTH = 256;

/**
 * A block as a follower needs it: its hash and its parent's. `minedAt` is when its maker says that it was made, in milliseconds; of the
 * newest block alone, and absent where a network has no such time.
 */
export type BlockRef = { height: number; hash: string; parentHash: string; minedAt?: number };

/**
 * Value that arrives at any address in a block. `outputIndex` is the output, or the log counted within its own transaction, so that it
 * stays the same when the transaction moves to another block; -1 for a native transfer.
 */
export type ObservedTransfer = {
  txId: string;
  outputIndex: number;
  toAddress: string;
  /** Tells orders at one address apart; absent where the network has no memos. */
  memo?: string | null;
  slug: string;
  amount: bigint;
  /** Why it cannot be credited by itself: an operator reviews it. */
  reviewReason?: string;
};

/** What an account has moved to the hot wallet by a transaction of its own. */
export type MoveToHot = { txId: string; fromAddress: string; slug: string; amount: bigint };

/**
 * `sent` are the transactions in it that the hot wallet has signed; absent where a network hides them. `toOurselves` hold those of them that do
 * nothing but move its own coin to itself, whatever else a transaction of the network could do: they pay nobody. `moved` is present where deposit
 * addresses are accounts of their own: what other accounts have moved to the hot wallet, whosever they are.
 */
export type ObservedBlock = BlockRef & {
  transfers: ObservedTransfer[];
  sent?: readonly string[];
  toOurselves?: readonly string[];
  moved?: readonly MoveToHot[];
};

/**
 * Canonical form of an address, or why it is refused; `code` is a reject code of spec §5 where the network has one. `memo` is what the
 * address itself contains (an X-address's tag, a muxed account's number): value that leaves without it is lost.
 */
export type ParsedAddress =
  | { valid: true; canonical: string; memo?: string | null }
  | { valid: false; code: string | null };

export type ParsedMemo = { valid: true; canonical: string } | { valid: false };

/** A deposit address, and the memo where one address serves many orders. */
export type DepositAddress = { address: string; memo: string | null };

/** An address, and the instrument whose balance is asked there. */
export type HeldAt = { address: string; slug: string };

/** A payment to make; `amount` in minor units of `slug`. */
export type Payment = { slug: string; toAddress: string; toMemo: string | null; amount: bigint };

/** What makes an attempt provably dead (engine law 5): a nonce, or the inputs. Each key is unique on its network while it is reserved. */
export type Handle = { keys: readonly string[]; data: Record<string, unknown> };

/** Signed bytes and the transaction id that they will have. */
export type PreparedPayment = { raw: string; txId: string };

/**
 * `unknown` covers every error and time-out: it is looked up later, never treated as a failure (engine law 6). `refused` is as
 * unknown, since another node may think otherwise, but this one says that no block can take these bytes as things are.
 */
export type BroadcastResult = { kind: "accepted" } | { kind: "unknown" | "refused"; reason: string };

/**
 * What replaces stuck bytes, and the maximum that it may cost, in minor units of the network's fee coin. `amount` is what it pays where that
 * is less than the payment's: the fee of a sweep comes out of what it moves.
 */
export type PreparedReplacement = PreparedPayment & { maxCost: bigint; amount?: bigint };

/** A payment to ourselves that pays for the one of a payment's attempts that it spends; `keys` are its inputs, as in a handle. */
export type PreparedChild = PreparedReplacement & { keys: readonly string[]; paysFor: string };

/** The payment may not be made as it is, however often it is tried: an operator decides. `reason` is why, for the rows. */
export class PaymentRefusedError extends Error {
  override name = "PaymentRefusedError";
  readonly reason:
    | "destination_reverts"
    | "gas_over_cap"
    | "fee_over_cap"
    | "fee_over_charge"
    | "under_dust"
    | "under_reserve";

  constructor(reason: PaymentRefusedError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The node serves another chain than the configured one: nothing that it says counts. */
export class WrongChainError extends Error {
  override name = "WrongChainError";
}

/** The network asks for more than the caps allow now: nothing is signed until fees fall, and no payment is to blame. */
export class FeesOverCapError extends Error {
  override name = "FeesOverCapError";
}

/** The node is behind blocks that we have read: it signs nothing, and the payment is not to blame. */
export class NodeBehindError extends Error {
  override name = "NodeBehindError";
}

/** As many payments of the wallet wait for a block as may: another one can be signed once a block has taken one of them. */
export class TooManyPendingError extends NodeBehindError {
  override name = "TooManyPendingError";
}

/** The wallet has too little that is free now; it may have enough later. */
export class NotEnoughFundsError extends Error {
  override name = "NotEnoughFundsError";
}

/**
 * A payment from the hot wallet that a node knows; `height` is null while it is in no block, `pays` absent where the network hides it: `sent` is
 * then what has left beside the fee, as far as the wallet says so. Without
 * `txId` it is one that the node counts and does not show. `key` is that of the handle which it uses, of one that has not been mined; `data` is
 * the handle's, where another payment above it depends on it. `isToOurselves` as in a block, as far as what the node shows of it says so;
 * `spends` is all that such a one spends, where its network has no nonces.
 */
export type RecentPayment = {
  txId: string | null;
  height: number | null;
  isToOurselves?: boolean;
  pays?: readonly { to: string; slug: string; amount: bigint }[];
  sent?: { slug: string; amount: bigint };
  key?: string;
  data?: Handle["data"];
  spends?: Handle;
};

export type Lookup =
  | { kind: "absent" }
  | { kind: "pending" }
  /** Provably dead while that block stands: another transaction in it has spent what this one spends. */
  | { kind: "replaced"; byTxId: string; height: number; hash: string }
  | {
      kind: "mined";
      height: number;
      hash: string;
      succeeded: boolean;
      feePaid: bigint;
      /** Where it did not pay what was asked and moved something all the same, as a token that takes a fee: what left its payer, and what arrived. */
      moved?: Moved;
    };

export type Moved = { spent: bigint; arrived: bigint };

/** A network without keys: every role may have one. */
export interface NetworkReader {
  readonly networkTitle: string;
  /** The slug of the coin that pays this network's fees. */
  readonly feeSlug: string;
  /** Which chain it is, as CAIP-2 writes it; absent where the chain is kept in our own database. */
  readonly chain?: string;
  /** The same where the keys are in a wallet of its own, which is asked for them once it answers. */
  readonly walletChain?: string;
  /**
   * Networks that derive the same address of an index have one address space, so that no address belongs to orders of two networks: value
   * sent on the wrong one would be another customer's. The network's own unless given.
   */
  readonly addressSpace?: string;
  parseAddress(text: string): ParsedAddress;
  /** Absent where the network has no memos. */
  parseMemo?(text: string): ParsedMemo;
  /** The deposit address of an index, derived without a private key. The same index always has the same address. */
  depositAddress(index: bigint): DepositAddress | Promise<DepositAddress>;
  /** The payment URI that a wallet opens (BIP-21, EIP-681 or the network's own); `amount` in minor units. */
  depositUri(address: string, memo: string | null, slug: string, amount: bigint): string;
  /** `highestHeight` is that of the node which is furthest ahead, where there are several. */
  head(): Promise<BlockRef & { highestHeight?: number }>;
  /** Null while the node has no block of that height. */
  blockAt(height: number): Promise<ObservedBlock | null>;
  /** The same without what is in the block, which costs little: several nodes are compared by it. */
  blockRefAt?(height: number): Promise<BlockRef | null>;
  /**
   * What waits in the node's mempool for addresses of ours; it may hold transfers to other addresses too. Absent where a
   * network has no mempool that can be read. `lastIndex` gives the highest index of a deposit address that was issued.
   */
  mempool?(lastIndex: () => Promise<bigint>): Promise<ObservedTransfer[]>;
  /**
   * What addresses hold after a block, in minor units and in the order asked. Present where value can arrive that no block lists: a
   * contract's call, a token that moves less than it says.
   */
  balancesAt?(blockHash: string, asked: readonly HeldAt[]): Promise<bigint[]>;
  /**
   * Where an account exists only from its first payment on: what that payment must bring at least, in minor units of the network's own coin.
   * A payment of so much opens it; a smaller one fails.
   */
  readonly accountReserve?: bigint;
  /** Present beside `accountReserve`: whether an account exists. */
  accountExists?(address: string): Promise<boolean>;
  /** What paying out `slug` costs, in minor units of `feeSlug`. */
  estimateFee(slug: string): Promise<bigint>;
}

/** Where the indexes of a network's deposit addresses are counted. */
export const addressSpaceOf = ({ addressSpace, networkTitle }: NetworkReader): string => addressSpace ?? networkTitle;

/** The paying side of a network: only processes with the worker role have one (engine law 14). */
export interface NetworkWallet {
  readonly networkTitle: string;
  /** True where a balance shows a payment only once it is mined: what is on its way must be subtracted from it. */
  readonly showsMinedOnly?: boolean;
  /** True where `lookup` knows payments of our own wallets alone, or the blocks hide whom others pay. */
  readonly seesOwnOnly?: boolean;
  hotAddress(): string;
  /** Minor units of `slug`; `showsMinedOnly` says whether what is on its way is in it. */
  hotBalance(slug: string): Promise<bigint>;
  /**
   * Chooses a handle that is not among the reserved keys, with a nonce above theirs where it has one. Nothing is reserved by this
   * call: the caller stores it first. Where a fee is a maximum (EIP-1559), it leaves less room for a rise to stay within `costLimit`; one
   * that costs more even now is chosen all the same, and the caller refuses it.
   */
  chooseHandle(payment: Payment, reserved: readonly Handle[], costLimit?: bigint | null): Promise<Handle>;
  /** The maximum that a payment with this handle may cost, in minor units of the network's fee coin; without I/O. */
  maxCost(handle: Handle): bigint;
  /**
   * Where signed bytes stay valid for as long as the coins or nonces that they spend: chooses these for a payment to ourselves, so that nobody can
   * send old ones any more, and what it pays beside its change. Those of blocks from the height `before` on, which the first such payment is in, stay; `made` counts
   * those in blocks. Null once nothing that is left could have paid anybody, at whatever fee it was signed. Throws while that can't be moved.
   */
  chooseConsolidation?(
    reserved: readonly Handle[],
    before: number | null,
    made: number,
  ): Promise<{ handle: Handle; amount: bigint } | null>;
  /**
   * Where a payment to ourselves that no row knows waits for a block, as one of an earlier restore: chooses for another one on its nonce, or over
   * its coins, what lets nodes take that in its place. `waiting` are the handles of what waits there. Null while that gains nothing; throws as
   * `chooseConsolidation`.
   */
  chooseTakeover?(waiting: readonly Handle[]): Promise<{ handle: Handle; amount: bigint } | null>;
  /** Signs, and sends nothing. The same payment and handle may be prepared again as long as nothing was stored. */
  prepare(payment: Payment, handle: Handle): Promise<PreparedPayment>;
  /** Repeating the same bytes is always safe; "already known" is accepted. */
  broadcast(prepared: PreparedPayment): Promise<BroadcastResult>;
  /** What the node knows of a transaction; `pending` while it is in no block. Throws where the node does not answer. */
  lookup(txId: string): Promise<Lookup>;
  /**
   * The hot wallet's payments that wait for a block, and, where the blocks don't show them, those in blocks from `height` on; absent where a
   * node's mempool shows no payments by their sender.
   */
  recentPayments?(height: number): Promise<readonly RecentPayment[]>;
  /**
   * Where a payment that is signed twice has two handles, which don't exclude each other: how long after it was signed a block may take one
   * at most, in milliseconds. After a restore nothing is signed until the newest final block is so much later.
   */
  readonly longestLifeMs?: number;
  /**
   * Where the payments behind one that no node accepts wait for it: signs an empty payment to ourselves that uses the same
   * handle, so that the chain takes one of the two at most. Sends nothing. `stuck` is everything signed with the handle so far, also
   * earlier such payments: null while the caps leave no room to pay more than one of those.
   */
  prepareCancellation?(
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<(PreparedPayment & { maxCost?: bigint }) | null>;
  /** Where payments go by nonces: how many an account has used up to the block at `height`, and that block's hash; null where the node has none. */
  noncesUsed?(address: string, height: number): Promise<{ used: number; hash: string } | null>;
  /**
   * Where a payment that no block takes can be replaced: signs it once more so that it excludes every one of `stuck` (the same nonce, the
   * same inputs) and pays so much more that nodes take it in their place. Sends nothing. Null while there is nothing to gain (it waits
   * for another payment, or today's fee is no higher than it pays) or it is not legal; throws `PaymentRefusedError` at the caps.
   * `reserved` are the handles of other payments, which may spend what comes back from this one; `costLimit` is as in `chooseHandle`.
   */
  prepareReplacement?(
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
    reserved: readonly Handle[],
    costLimit?: bigint | null,
  ): Promise<PreparedReplacement | null>;
  /**
   * Where a payment that can't be replaced can be paid for by another one: signs a payment to ourselves that spends the change of one of
   * `stuck`, or what the `children` that were made so before have left of it, and pays for all of them. Sends nothing. Null and errors
   * as above.
   */
  prepareChild?(
    stuck: readonly PreparedPayment[],
    children: readonly PreparedPayment[],
    reserved: readonly Handle[],
  ): Promise<PreparedChild | null>;
  /**
   * Where payments run out by themselves, or the chain may use their nonce or coins for others: the hash of the block at `height` when the chain
   * up to it shows that these bytes are in no block and can come into none any more, else null. Only then may other bytes follow them
   * (engine law 5).
   */
  deadAt?(prepared: PreparedPayment, height: number): Promise<string | null>;
  /** Where the chain takes a handle once (a nonce, coins): whether it has used this one, or a part of it, for that transaction. */
  usesHandle?(txId: string, handle: Handle): Promise<boolean>;
}

/** A deposit address that is an account of its own, and its derivation index. */
export type DepositSource = { address: string; index: bigint };

/**
 * The sweeping side of a wallet, on networks where each deposit address is an account of its own and its coins must be moved to the hot
 * wallet before they can be paid out. Wallets that spend from all their addresses do not need it.
 */
export interface NetworkSweeper {
  /** Minor units of `slug` that the address holds now. */
  depositBalance(from: DepositSource, slug: string): Promise<bigint>;
  /**
   * What moving an instrument from there takes now, in minor units of the network's fee coin: the maximum of the coin itself; of a token
   * what its address needs, with some margin for a rise before it is signed.
   */
  sweepCost(from: DepositSource, payment: Payment): Promise<bigint>;
  /**
   * As `chooseHandle`, for a payment from there; null while that address can't pay the current fee. The fee of the coin that pays it comes
   * out of what is moved: the caller subtracts it by `amountBesideFee`.
   */
  chooseSweepHandle(from: DepositSource, payment: Payment, reserved: readonly Handle[]): Promise<Handle | null>;
  /** As `prepare`, signed with that address's own key. */
  prepareSweep(from: DepositSource, payment: Payment, handle: Handle): Promise<PreparedPayment>;
  /**
   * As `prepareReplacement`, of a payment from there; one of the coin that pays the fee may move less. Throws `NotEnoughFundsError` while
   * that address can't pay what it takes.
   */
  prepareSweepReplacement?(
    from: DepositSource,
    payment: Payment,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<PreparedReplacement | null>;
  /** As `prepareCancellation`, signed with that address's own key, which pays for it. */
  prepareSweepCancellation?(
    from: DepositSource,
    handle: Handle,
    stuck: readonly PreparedPayment[],
  ): Promise<(PreparedPayment & { maxCost?: bigint }) | null>;
}

/**
 * What can be moved of a coin that also pays the fee; null while the fee would take as much as is moved. A sweep's amount follows this
 * rule when it is planned, when it is signed and when it is replaced.
 */
export const amountBesideFee = (held: bigint, maxCost: bigint): bigint | null =>
  held - maxCost > maxCost ? held - maxCost : null;

export type SweepingWallet = NetworkWallet & NetworkSweeper;

/** Whether deposits of the network are swept: each of its deposit addresses is an account of its own. */
export const canSweep = (wallet: NetworkWallet): wallet is SweepingWallet => "prepareSweep" in wallet;
