/**
 * Differences of a real op-reth (1.10.2, February 2026) from the rust flavour, with the reason.
 * Both ran the same chain outside the tests: 3,000 requests to 120 methods. Behaviour of later versions is noted if
 * it is known.
 */
export const BESIDE_OP_RETH: readonly { readonly what: string; readonly opReth: string; readonly reason: string }[] = [
  {
    what: '`data` of an error about parameters',
    opReth: 'its decoder’s words (`invalid string length at line 1 column 6`)',
    reason: 'which argument is wrong and what was expected',
  },
  {
    what: '`eth_syncing` in sync',
    opReth: '`false`',
    reason: 'stages, as op-reth 2.2.3',
  },
  {
    what: '`blockTimestamp` of transactions',
    opReth: 'absent',
    reason: 'the time, as op-reth 2.2.3',
  },
  {
    what: '`totalDifficulty` of a block',
    opReth: 'absent',
    reason: '0, as op-reth 2.2.3',
  },
  {
    what: '`rpc_modules`',
    opReth: 'served with `--http.api=rpc`',
    reason: '-32601, as op-reth 2.2.3',
  },
  {
    what: 'block numbers with leading zeros, slots as decimal text or numbers',
    opReth: 'accepted',
    reason: 'refused, as the Go client and execution-apis do',
  },
  {
    what: '`eth_getProof` of an older state',
    opReth: 'refused unless `--rpc.eth-proof-window` is given',
    reason: 'answered: all states are there',
  },
  {
    what: '`eth_getProof` of a slot in empty storage',
    opReth: 'a proof of one empty node, `0x80`',
    reason: 'no nodes, as the Go client: both prove the same',
  },
  {
    what: '`pending`',
    opReth: 'a block that it builds itself',
    reason: 'the newest block: what comes next is the rollup node’s matter',
  },
  {
    what: '`eth_call`, `eth_estimateGas`: code that never ends',
    opReth: 'out of gas, after seconds',
    reason: 'the time of `--rpc.evmtimeout` ends it first',
  },
  {
    what: '`eth_blobBaseFee`, blob fees and ratios of `eth_feeHistory` from jovian on',
    opReth: 'as if the DA footprint were blob gas',
    reason: 'of no blobs, as the Go client',
  },
  {
    what: '`eth_feeHistory` without percentiles',
    opReth: 'lists of no rewards',
    reason: 'no `reward`',
  },
  {
    what: '`eth_feeHistory` of no block',
    opReth: 'neither base fees nor ratios of blobs',
    reason: 'empty lists',
  },
  {
    what: 'what a transaction without funds wants',
    opReth: 'without the operator fee',
    reason: 'with it, as it would pay',
  },
  {
    what: 'filters of a range that ends before it begins, or lies behind',
    opReth: 'accepted; logs of that range are returned',
    reason: 'refused, or nothing is returned',
  },
  {
    what: 'the first poll of a block filter',
    opReth: 'includes the newest block',
    reason: 'blocks since the filter was made, as the Go client',
  },
  {
    what: '`eth_subscribe` over HTTP',
    opReth: '-32603',
    reason: '-32601',
  },
  {
    what: '`eth_subscribe` to `newHeads` with a second argument',
    opReth: 'refused',
    reason: 'ignored',
  },
  {
    what: '`eth_sendRawTransactionConditional`: times as numbers, unknown keys',
    opReth: 'accepted',
    reason: 'refused: a condition that is not read is not kept',
  },
  {
    what: '`eth_sendRawTransactionSync`: the timeout',
    opReth: '30 s, whatever is requested',
    reason: 'the requested one, as in EIP-7966',
  },
  {
    what: '`engine_getClientVersionV1` by an unknown client',
    opReth: 'refused',
    reason: 'answered',
  },
  {
    what: 'the message of a refused range of bodies',
    opReth: '`invalid start (0) or count (1)`',
    reason: '`start and count must be positive`',
  },
  {
    what: '`eth_estimateGas` with less gas than a transfer costs',
    opReth: 'refused',
    reason: 'the limit is not taken, as in the Go client',
  },
  {
    what: 'the order of `eth_createAccessList`',
    opReth: 'any',
    reason: 'the order of use',
  },
  {
    what: 'the gas of `eth_createAccessList` where the call fails',
    opReth: 'the gas of the first run',
    reason: 'the gas with the list',
  },
  {
    what: 'simulated blocks of `eth_simulateV1`: time, state root, parent beacon root, `maxUsedGas`',
    opReth: '12 s later, zero, that of the newest block, absent',
    reason: '`--rpc.simulate-block-time` later, which is 12 s, the computed one, zero, present, as in execution-apis',
  },
  {
    what: 'a revert in `eth_simulateV1`',
    opReth: '-32000 without data',
    reason: '3 with the data, as in execution-apis',
  },
  {
    what: '`extraData` of a payload that is not of its fork’s form',
    opReth: 'accepted',
    reason: 'refused, as the Go client and the specification do',
  },
  {
    what: '`trace_filter` without `fromBlock`',
    opReth: 'refused',
    reason: 'from the first block',
  },
  {
    what: '`trace_filter` with a block label',
    opReth: 'refused',
    reason: 'accepted, as in all methods',
  },
  {
    what: '`trace_*`: a contract that destroys itself in favour of itself, and goes on living',
    opReth: 'addresses of zeros',
    reason: 'the contract’s own',
  },
  {
    what: '`ots_getInternalOperations`',
    opReth: 'the transaction’s own transfer too, and what was reverted',
    reason: 'internal ones that lasted, as the explorer’s interface says',
  },
  {
    what: '`ots_searchTransactionsBefore`, `ots_searchTransactionsAfter`',
    opReth: '`unimplemented`',
    reason: 'answered',
  },
  {
    what: '`logsBloom` of `ots_getBlockDetails`',
    opReth: 'the bloom',
    reason: 'null, as in the explorer’s interface',
  },
  {
    what: 'L1 fees in receipts of `ots_getBlockTransactions`',
    opReth: 'absent',
    reason: 'present, as in all receipts',
  },
  {
    what: '`eth_callMany`, `eth_callBundle`, `eth_getAccount`, `eth_getAccountInfo`, `debug_codeByHash`',
    opReth: 'served',
    reason: 'not offered: no standard, and none of this ecosystem’s tools asks for them',
  },
  {
    what: '`contractAddress` in the receipt of a deposit that creates',
    opReth: 'as if its sender had never sent anything before',
    reason: 'where the contract is, as the Go client',
  },
  {
    what: 'jovian in the genesis block',
    opReth: 'its header has 50 and 6 in `extraData`, whatever the file says, and so another hash',
    reason: 'the file’s values. Beside op-reth, let jovian begin later (`jovian: +2s`)',
  },
  {
    what: '`daFootprintGasScalar` in the block that activates jovian',
    opReth: 'absent: it reads the L1 attributes, which have the form of isthmus there',
    reason: '0, as L1Block has it',
  },
  {
    what: '`debug_executionWitness`: the order',
    opReth: 'of a map',
    reason: 'sorted',
  },
  {
    what: '`debug_executionWitness`: parameters',
    opReth: 'a number',
    reason:
      'a number or a hash, and `legacy` or `canonical`, as op-reth 2.5.1. Removals come first in one, last ' +
      'in the other',
  },
  {
    what: '`callTracer`, struct logger: why gas ran out, why a precompile failed',
    opReth:
      'the cause: memory, an operand (`out of gas: out of memory`, `Some(InvalidOperandOOG)`) or a ' + 'precompile',
    reason: '`out of gas`, `Some(OutOfGas)`; the precompile’s reason in geth’s words',
  },
  {
    what: '`callTracer` of a deposit that cannot pay for its data',
    opReth: 'a call of zeros to zeros',
    reason: '`failed deposit transaction`, with its sender and data',
  },
  {
    what: 'struct logger: `limit`',
    opReth: 'ignored',
    reason: 'applied',
  },
  {
    what: 'struct logger: `refund` of zero',
    opReth: 'left out',
    reason: 'shown, as by later inspectors',
  },
  {
    what: 'struct logger: `gasCost` of an instruction that fails',
    opReth: 'the gas that was left',
    reason: 'the cost of the instruction',
  },
  {
    what: 'struct logger: `returnData`',
    opReth: 'always empty',
    reason: 'the data that was returned',
  },
  {
    what: 'struct logger: `memory` after a log, hash or load that extended it',
    opReth: 'its former length',
    reason: 'its length, as by later inspectors',
  },
  {
    what: 'struct logger of an instruction that no fork knows',
    opReth: '-32603 `internal eth error`: its handler ends',
    reason: 'the instruction, and that it is not defined',
  },
  {
    what: '`vmTrace`: `ex.used`',
    opReth: 'the gas before the instruction',
    reason: 'the same',
  },
  {
    what: '`vmTrace`: `ex.mem`',
    opReth: 'the memory before it at an offset of its length (Parity: after it)',
    reason: 'the same, and also what a log, a hash or a load extended',
  },
  {
    what: '`vmTrace`: `ex.store`',
    opReth: 'absent (revm-inspectors 0.34.2 to 0.42.2)',
    reason: 'the stored value',
  },
  {
    what: '`vmTrace`: `ex.push` of calls, creations and failures',
    opReth: 'the stack below (revm-inspectors 0.34.2 to 0.42.2)',
    reason: 'the pushed value, and none for a failure',
  },
  {
    what: '`vmTrace`: `code` of creations, of accounts created in the same block, of delegating accounts',
    opReth: 'none, none, the delegation (revm-inspectors 0.34.2 to 0.42.2)',
    reason: 'the code that runs',
  },
  {
    what: '`vmTrace`: frames below a call',
    opReth: 'under other calls, from the first call of a precompile or of depth two on',
    reason: 'under the call that made them',
  },
  {
    what: '`vmTrace`: the instructions of a call with frames below',
    opReth: 'absent if a frame begins and the last one ends with a STOP',
    reason: 'present',
  },
  {
    what: '`vmTrace`: an instruction that is not defined',
    opReth: 'an error',
    reason: 'the trace up to it',
  },
  {
    what: '`flatCallTracer`',
    opReth: 'served',
    reason: 'not offered: `trace_transaction` has that form',
  },
  {
    what: 'JavaScript tracers',
    opReth: 'served if compiled in',
    reason: 'not offered: no code of requests is run',
  },
  {
    what: '`muxTracer` with a configuration of `4byteTracer` or `noopTracer`',
    opReth: 'refused',
    reason: 'accepted',
  },
  {
    what: '`muxTracer` with an invalid `timeout`',
    opReth: 'accepted',
    reason: 'refused',
  },
  {
    what: 'a base fee override without a price',
    opReth: 'a base fee of zero',
    reason: 'the requested base fee',
  },
  {
    what: 'an unknown tracer',
    opReth: '-32603 `JS Tracer is not enabled`',
    reason: '-32000 with the list of tracers',
  },
  {
    what: 'an unknown tracer in `muxTracer`',
    opReth: '-32602',
    reason: '-32000 with the list of tracers',
  },
  {
    what: 'traces and witness of the genesis block',
    opReth: '-32001 of its parent',
    reason: '-32000 with the reason',
  },
  {
    what: 'traces and witness of `pending`',
    opReth: '-32001',
    reason: 'those of the newest block',
  },
  {
    what: 'a call whose fees are too low and contradict each other',
    opReth: '`max fee per gas less than block base fee`',
    reason: 'the contradiction',
  },
  {
    what: 'a call with the `chainId` of another chain',
    opReth: '`invalid chain ID`',
    reason: 'both chain ids',
  },
  {
    what: 'unknown fields of overrides',
    opReth: 'refused',
    reason: 'ignored, as the Go client',
  },
  {
    what: '`stateDiff` of an account that delegates anew, or no longer (EIP-7702)',
    opReth: '`code` unchanged',
    reason: 'how it changed',
  },
  {
    what: '`debug_setHead`',
    opReth: '`null`, and nothing happens',
    reason: 'the chain is rewound',
  },
  {
    what: '`debug_setHead` beyond the head',
    opReth: '`null`, and nothing happens',
    reason: 'an error',
  },
  {
    what: '`debug_storageRangeAt`, `debug_accountRange`',
    opReth: '`null`',
    reason: 'answered as the Go client answers',
  },
  {
    what: '`debug_getRawTransactions` of an unknown block',
    opReth: 'an empty list',
    reason: 'an error: an empty list would say that the block is there',
  },
  {
    what: '`debug_getBadBlocks`: `nonce` of deposits',
    opReth: 'that of another block with the same deposit, else 0',
    reason: '0: a refused block has no receipts',
  },
  {
    what: '`debug_traceBadBlock`',
    opReth: '`null`',
    reason: 'the traces',
  },
  {
    what: '`eth_config`',
    opReth: '-32601',
    reason: 'EIP-7910, as later versions',
  },
];
