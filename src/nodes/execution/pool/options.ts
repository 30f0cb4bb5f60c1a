import { type OptionType, type OptionValues, option } from '../../../system/program/options.ts';

/** A positive integer. */
const positive: OptionType<number> = {
  label: 'number',
  parse(text) {
    const value = option.natural.parse(text);
    if (value === 0) throw new Error('expected a whole number, one or more, found 0');
    return value;
  },
};

/** Milliseconds, from a Go duration or a number of seconds. */
const age: OptionType<number> = {
  label: 'duration',
  parse: (text) => (/^\d+$/.test(text) ? Number(text) * 1000 : option.duration.parse(text)),
};

/** Wei, from an amount of ether. */
const ether: OptionType<bigint> = {
  label: 'ether',
  parse(text) {
    const value = option.number.parse(text);
    if (value < 0 || value > 1e9) throw new Error(`expected an amount of ether, zero or more, found ${text}`);
    return BigInt(Math.round(value * 1e9)) * 10n ** 9n;
  },
};

/**
 * Options of the pool (geth: `setTxPool`, reth: `TxPoolArgs`). The default of an option that is not given is the
 * flavour's.
 */
export const POOL_OPTIONS = {
  poolLocals: {
    name: 'txpool.locals',
    env: 'TXPOOL_LOCALS',
    help: 'Accounts whose transactions always have a local user’s privileges',
    type: option.list,
  },
  poolNoLocals: {
    name: 'txpool.nolocals',
    env: 'TXPOOL_NOLOCALS',
    help: 'No privileges for transactions sent here, and no journal',
    type: option.boolean,
    default: false,
  },
  poolJournal: {
    name: 'txpool.journal',
    env: 'TXPOOL_JOURNAL',
    help: 'File that keeps pooled transactions across restarts; empty: none',
    type: option.string,
    defaultText: 'transactions.rlp in the datadir',
  },
  poolBackup: {
    name: 'txpool.transactions-backup',
    help: 'The same, in the rust client’s spelling',
    type: option.string,
  },
  poolNoBackup: {
    name: 'txpool.disable-transactions-backup',
    help: 'Keep no transactions across restarts (rust client)',
    type: option.boolean,
    default: false,
  },
  poolRejournal: {
    name: 'txpool.rejournal',
    env: 'TXPOOL_REJOURNAL',
    help: 'Interval between rewrites of the journal (at least 1s)',
    type: option.duration,
    default: 60 * 60_000,
    defaultText: '1h',
  },
  poolPriceLimit: {
    name: 'txpool.pricelimit',
    env: 'TXPOOL_PRICELIMIT',
    help: 'Least tip, wei per gas (go client; default 1)',
    type: positive,
  },
  poolPriceBump: {
    name: 'txpool.pricebump',
    env: 'TXPOOL_PRICEBUMP',
    help: 'Percent by which a replacement must raise its prices',
    type: positive,
    default: 10,
  },
  poolAccountSlots: {
    name: 'txpool.accountslots',
    env: 'TXPOOL_ACCOUNTSLOTS',
    help: 'Executable transactions that each account may always have (go client; default 16)',
    type: positive,
  },
  poolGlobalSlots: {
    name: 'txpool.globalslots',
    env: 'TXPOOL_GLOBALSLOTS',
    help: 'Executable transactions of all accounts (go client; default 5120)',
    type: positive,
  },
  poolAccountQueue: {
    name: 'txpool.accountqueue',
    env: 'TXPOOL_ACCOUNTQUEUE',
    help: 'Transactions of one account behind a nonce gap (go client; default 64)',
    type: positive,
  },
  poolGlobalQueue: {
    name: 'txpool.globalqueue',
    env: 'TXPOOL_GLOBALQUEUE',
    help: 'Transactions of all accounts behind a nonce gap (go client; default 1024)',
    type: positive,
  },
  poolLifetime: {
    name: 'txpool.lifetime',
    env: 'TXPOOL_LIFETIME',
    help: 'Maximum time that a transaction stays queued',
    type: age,
    default: 3 * 60 * 60_000,
    defaultText: '3h',
  },
  poolPendingCount: count('pending'),
  poolPendingSize: size('pending'),
  poolBasefeeCount: count('basefee'),
  poolBasefeeSize: size('basefee'),
  poolQueuedCount: count('queued'),
  poolQueuedSize: size('queued'),
  poolMaxAccountSlots: {
    name: 'txpool.max-account-slots',
    help: 'Transactions of one account without a user’s privileges (rust client; default 16)',
    type: positive,
  },
  poolMinFeeCap: {
    name: 'txpool.minimal-protocol-fee',
    help: 'Least fee cap, wei per gas (rust client; default 7)',
    type: option.natural,
  },
  poolMinTip: {
    name: 'txpool.minimum-priority-fee',
    help: 'Least tip of transactions without a user’s privileges, wei per gas (rust client)',
    type: option.natural,
  },
  poolMaxGas: {
    name: 'txpool.max-tx-gas',
    help: 'Most gas of one transaction (rust client; default: a block’s)',
    type: positive,
  },
  poolMaxBytes: {
    name: 'txpool.max-tx-input-bytes',
    help: 'Most bytes of one transaction (rust client; default 131072)',
    type: positive,
  },
  rpcFeeCap: {
    name: 'rpc.txfeecap',
    env: 'RPC_TXFEECAP',
    help: 'Most that a transaction sent here may pay for gas, ether; 0: no limit',
    type: ether,
    default: 10n ** 18n,
    defaultText: '1',
  },
  rpcAllowUnprotected: {
    name: 'rpc.allow-unprotected-txs',
    help: 'Take legacy transactions without replay protection (EIP-155); the rust client always does',
    type: option.boolean,
    default: false,
  },
} as const;

/** Values of the pool's options. */
export type PoolOptionValues = OptionValues<typeof POOL_OPTIONS>;
/** Names of the pool's options. */
export type PoolOptionKey = keyof PoolOptionValues;

function count<SubPool extends string>(subPool: SubPool) {
  return {
    name: `txpool.${subPool}-max-count` as const,
    help: `Transactions in the ${subPool} subpool (rust client; default 10000)`,
    type: positive,
  };
}

function size<SubPool extends string>(subPool: SubPool) {
  return {
    name: `txpool.${subPool}-max-size` as const,
    help: `Megabytes of the ${subPool} subpool (rust client; default 20)`,
    type: positive,
  };
}
