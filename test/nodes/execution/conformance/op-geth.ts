interface Difference {
  readonly what: string;
  readonly opGeth: string;
  readonly reason: string;
}

/**
 * Differences of `debug_*` in the go flavour from a real op-geth, with the reason.
 * Both ran the same generated chain: deposits, system transactions, creations, failures, every tracer and option.
 */
export const TRACES_BESIDE_OP_GETH: readonly Difference[] = [
  {
    what: '`debug_storageRangeAt` inside a block',
    opGeth: 'storage as it was before the block, at any index',
    reason: 'what the index asks for is shown',
  },
  {
    what: '`key` of a slot',
    opGeth: 'shown where its preimage is known',
    reason: 'absent: preimages of trie keys are not kept',
  },
  {
    what: 'addresses of `debug_accountRange`',
    opGeth: 'accounts without a known preimage are left out on request',
    reason: 'all absent: preimages of trie keys are not kept',
  },
  {
    what: '`storage` of an account without any',
    opGeth: '`null`',
    reason: '`{}`: it is an empty map',
  },
  {
    what: 'the name of CLZ before the fork that brings it',
    opGeth: '`opcode 0x1e not defined` (versions before 2025)',
    reason: '`CLZ`, as later versions',
  },
  {
    what: 'block overrides of `debug_traceCall` under their older names (`coinbase`, `random`, `baseFee`)',
    opGeth: 'ignored (versions from 2024 on)',
    reason: 'accepted, as by earlier versions, beside the newer names',
  },
  {
    what: '`memory` of the struct logger if there is none',
    opGeth: '`[]` (versions before 2025)',
    reason: 'left out, as later versions',
  },
  {
    what: '`returnValue` of a revert',
    opGeth: 'empty (versions before 2025)',
    reason: 'what it reverted with, as in later versions',
  },
  {
    what: '`debug_traceCall` on `pending`, without a block, with a base fee overridden and no price',
    opGeth: 'an error, an error, a base fee of zero',
    reason: 'the newest block, the newest block, the base fee that was asked for',
  },
  {
    what: 'accounts that called SELFDESTRUCT and live on, in diffMode',
    opGeth: 'as if they were gone (versions before 2025)',
    reason: 'as they are, as later versions show them',
  },
  {
    what: 'messages of the struct logger without `0x`',
    opGeth: 'storage, memory and `returnValue` (versions before 2025)',
    reason: 'with `0x`, as later versions and execution-apis have them',
  },
  {
    what: '`debug_executionWitness`',
    opGeth: 'maps by hash (versions before 2025)',
    reason:
      'lists, as later versions answer. They have some more code and trie nodes, because more accounts are ' + 'read',
  },
  {
    what: '`debug_executionWitness` of the genesis block',
    opGeth: 'the connection ends',
    reason: 'an error',
  },
  {
    what: 'tracers',
    opGeth: '`flatCallTracer`, and any JavaScript',
    reason: 'not offered: `trace_*` of the rust flavour has that form, and no code of requests is run',
  },
  {
    what: 'options out of range (`timeout` below zero or unreadable, `limit` below zero, a wrong ' + '`tracerConfig`)',
    opGeth: 'taken as none, or -32000',
    reason: '-32602 with what is expected',
  },
  {
    what: 'a trace over its time',
    opGeth: 'what there was by then, or `execution timeout`',
    reason: '`execution aborted (timeout = …)`, as calls say it',
  },
  {
    what: '`debug_setHead` beyond the head',
    opGeth: '`null`, and nothing happens',
    reason: 'an error: nothing happened',
  },
  {
    what: '`debug_getBadBlocks` after a restart',
    opGeth: 'the blocks of before too: they are in its database',
    reason: 'none: a newer program may judge otherwise',
  },
  {
    what: '`debug_getBadBlocks`: blocks refused for their time or `extraData`',
    opGeth: 'absent',
    reason: 'present',
  },
  {
    what: 'unknown blocks of `debug_traceBlockBy…`',
    opGeth: '`block #9 not found`',
    reason: 'the message of all other methods',
  },
  {
    what: 'traces of the genesis block',
    opGeth: '`genesis is not traceable` (versions before 2025)',
    reason: 'the message of all other methods',
  },
  {
    what: '`debug_chainConfig`',
    opGeth: 'the deposit contract’s address of zero',
    reason: 'the genesis file’s configuration as it stands',
  },
];

/** Differences of all other methods, from 1,100 valid, odd and invalid requests. */
export const ANSWERS_BESIDE_OP_GETH: readonly Difference[] = [
  {
    what: 'messages of -32602',
    opGeth: 'Go’s decoder (`json: cannot unmarshal …`, `hex string without 0x prefix`)',
    reason: 'the same code, with what is expected',
  },
  {
    what: '`totalDifficulty` of a block',
    opGeth: 'absent (versions from August 2024 on)',
    reason: '`0x0`, as before',
  },
  {
    what: 'optional last arguments left out (`eth_getBalance`, `eth_feeHistory` and others)',
    opGeth: '-32602 missing value',
    reason: 'the newest block, no rewards',
  },
  {
    what: '`null` for the flag of `eth_getBlockByNumber` and `eth_getBlockByHash`',
    opGeth: 'false',
    reason: '-32602, as where it is left out',
  },
  {
    what: '`null` for a block',
    opGeth: 'the pending block: `header not found`, or `null`',
    reason: 'the newest block, or -32602 if there is no default',
  },
  {
    what: '`{}` for a block',
    opGeth: '-32000 `header not found`',
    reason: '-32602 with what is expected',
  },
  {
    what: 'a slot without `0x`, or `null`, in `eth_getStorageAt` and `eth_getProof`',
    opGeth: 'accepted',
    reason: '-32602 with what is expected',
  },
  {
    what: '`debug_getRawHeader`, `debug_getRawBlock`, `debug_getRawReceipts` of an unknown block',
    opGeth: '-32603 `method handler crashed`',
    reason: '-32000 `header not found`',
  },
  {
    what: '`eth_getRawTransactionBy…`, `debug_getRawTransaction` of an unknown transaction',
    opGeth: '`0x`',
    reason: '`null`: there is none',
  },
  {
    what: 'an unknown block hash',
    opGeth: '`header not found`, `unknown block`',
    reason: '`header for hash not found`, as later versions say it',
  },
  {
    what: 'a revert without data in `eth_call` and `eth_estimateGas`, and any revert in `eth_simulateV1`',
    opGeth: '-32000',
    reason: '3 with the data, as later versions answer',
  },
  {
    what: 'text around the reason why a call failed (`err: … (supplied gas N)`, `failed with N gas: …`)',
    opGeth: 'present',
    reason: 'absent, with the same code and reason',
  },
  {
    what: 'a call that runs for longer than it may, and would run out of gas later',
    opGeth: '`out of gas`: it is faster',
    reason: '`execution aborted (timeout = 5s)`',
  },
  {
    what: '`data` and `input` that differ, in calls',
    opGeth: 'runs with `input`',
    reason: '-32602, as transactions are refused in both',
  },
  {
    what: '`eth_createAccessList` of a sender without funds, or of no data at all',
    opGeth: 'an error, because a gas price is filled in',
    reason: 'the list',
  },
  {
    what: '`eth_feeHistory` of no block',
    opGeth: '`null` for the ratios',
    reason: 'empty lists',
  },
  {
    what: '`eth_feeHistory`: percentiles out of range',
    opGeth: '-32000',
    reason: '-32602',
  },
  {
    what: '`eth_getLogs` from the newest block back to an older one',
    opGeth: '`[]`',
    reason: '-32602 `invalid block range params`',
  },
  {
    what: '`eth_sendRawTransaction` of bytes that are no transaction',
    opGeth: '-32000 `rlp: …`, `typed transaction too short`',
    reason: '-32602 `failed to decode signed transaction`',
  },
  {
    what: '`eth_sendRawTransaction` without a tip',
    opGeth: 'accepted: a transaction of its own RPC was exempt (versions before 2025)',
    reason: 'refused as underpriced',
  },
  {
    what: '`eth_sendRawTransactionConditional` with `null` for the condition',
    opGeth: 'accepted',
    reason: '-32602: a transaction without one has a method of its own',
  },
  {
    what: 'simulated blocks of `eth_simulateV1`: hash, state root, `extraData`, `size`',
    opGeth: 'no system calls before the first call, no parameters of the base fee',
    reason: 'both, as a block has them',
  },
  {
    what: 'their receipts root and bloom',
    opGeth: 'without any log',
    reason: 'with the logs of contracts, without those of plain transfers',
  },
  {
    what: 'their transactions’ `from`',
    opGeth: 'the zero address',
    reason: 'the sender',
  },
  {
    what: 'their transactions’ `maxUsedGas`',
    opGeth: 'absent',
    reason: 'present',
  },
  {
    what: 'what is wrong with a call in `eth_simulateV1` with `validation`',
    opGeth: '-32602 for the price',
    reason: '-38010 to -38025 as execution-apis has them',
  },
  {
    what: '`eth_subscribe` to `newHeads` with a second argument',
    opGeth: '-32602 too many arguments',
    reason: 'ignored',
  },
  {
    what: '`requestsRoot` of a head in `newHeads`',
    opGeth: '`null`',
    reason: '`requestsHash`, where blocks have one',
  },
  {
    what: '`engine_getPayloadBodies…`',
    opGeth: '`depositRequests` of `null`',
    reason: 'the fields of the specification',
  },
  {
    what: '`miner_setMaxDASize`',
    opGeth: 'absent (versions before 2025)',
    reason: 'served, as by later versions',
  },
  {
    what: '`admin_nodeInfo`',
    opGeth: 'enode, record, listening address',
    reason: 'empty: there is no network between execution clients',
  },
];
