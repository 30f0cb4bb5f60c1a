/**
 * Differences of a real op-reth (1.10.2, February 2026) from the rust flavour, with the reason.
 * Both ran the same chain outside the tests: 3,000 requests to 120 methods. Behaviour of later versions is noted where
 * it is known.
 */
export const BESIDE_OP_RETH: readonly { readonly what: string; readonly opReth: string; readonly reason: string }[] = [
  {
    what: '`data` of an error about parameters',
    opReth: 'its decoder’s words (`invalid string length at line 1 column 6`)',
    reason: 'which argument is wrong and what was expected',
  },
  {
    what: '`eth_syncing` in sync; `blockTimestamp` of transactions; `totalDifficulty`; `rpc_modules`',
    opReth: '`false`; absent; absent; served with `--http.api=rpc`',
    reason: 'stages; the time; 0; -32601: as op-reth 2.2.3',
  },
  {
    what: 'block numbers with leading zeros, slots as decimal text or numbers',
    opReth: 'taken',
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
    what: '`eth_feeHistory` without percentiles, or of no block',
    opReth: 'lists of no rewards; neither base fees nor ratios of blobs',
    reason: 'no `reward`; empty lists',
  },
  {
    what: '`eth_call` and others: INVALID, and a DUP or SWAP that finds too little',
    opReth: '`InvalidFEOpcode`, `StackOverflow`',
    reason: '`OpcodeNotFound`, `StackUnderflow`: the EVM library does not say which',
  },
  {
    what: 'what a transaction without funds wants',
    opReth: 'without the operator fee',
    reason: 'with it, as it would pay',
  },
  {
    what: 'filters of a range that ends before it begins, or lies behind; the first poll of a block filter',
    opReth: 'taken, and what is in it told; the newest block too',
    reason: 'refused, or nothing told; what came since, as the Go client',
  },
  {
    what: '`eth_subscribe` over HTTP; to `newHeads` with a second argument; `eth_unsubscribe` of no id',
    opReth: '-32603; refused; `false`',
    reason: '-32601; ignored; -32602',
  },
  {
    what:
      '`eth_sendRawTransactionConditional`: times as numbers, unknown keys; ' +
      '`eth_sendRawTransactionSync`: the timeout',
    opReth: 'taken; 30 s whatever is asked',
    reason: 'refused: a condition that is not read is not kept; what is asked for, as EIP-7966 has it',
  },
  {
    what: '`engine_getClientVersionV1` by a client that it does not know; words of refused ranges of bodies',
    opReth: 'refused; `invalid start (0) or count (1)`',
    reason: 'answered; `start and count must be positive`',
  },
  {
    what: '`eth_estimateGas` with less gas than a transfer costs',
    opReth: 'refused',
    reason: 'the limit is not taken, as in the Go client',
  },
  {
    what: '`eth_createAccessList`',
    opReth: 'in any order; the gas of the first run where it fails',
    reason: 'in the order of use; the gas with the list',
  },
  {
    what: 'simulated blocks of `eth_simulateV1`: time, state root, parent beacon root, `maxUsedGas`; a revert',
    opReth: '12 s later, zero, that of the newest block, absent; -32000 without data',
    reason: '1 s later, as it is, zero, there; 3 with the data: as execution-apis say',
  },
  {
    what: '`extraData` of a payload that is not of its fork’s form',
    opReth: 'taken',
    reason: 'refused, as the Go client and the specification do',
  },
  {
    what: '`trace_filter` without `fromBlock`, or with a label',
    opReth: 'refused',
    reason: 'from the first block; labels as everywhere',
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
    what: '`logsBloom` of `ots_getBlockDetails`, L1 fees in receipts of `ots_getBlockTransactions`',
    opReth: 'the bloom; none',
    reason: 'null, as the explorer’s interface says; as in all receipts',
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
    opReth: 'its header says 50 and 6 in `extraData` whatever the file says, and has another hash',
    reason: 'the file’s; beside op-reth let jovian begin later (`jovian: +2s`)',
  },
  {
    what: '`daFootprintGasScalar` in the block that activates jovian',
    opReth: 'absent: it reads the L1 attributes, which have the form of isthmus there',
    reason: '0, as L1Block has it',
  },
  {
    what: '`debug_executionWitness`',
    opReth: 'the same sets of nodes, code, keys and headers; a number only; no form to choose',
    reason:
      'sorted; a hash too; `legacy` and `canonical`, as op-reth 2.5.1 (removals first in the one, last in the other)',
  },
  {
    what: '`callTracer`, struct logger: why gas ran out, why a precompile failed',
    opReth: 'the cause: memory, an operand (`out of gas: out of memory`, `Some(InvalidOperandOOG)`) or a precompile',
    reason: '`out of gas`, `Some(OutOfGas)`: the EVM library does not say for what',
  },
  {
    what: '`callTracer` of a deposit that cannot pay for its data',
    opReth: 'a call of zeros to zeros',
    reason: '`failed deposit transaction`, with its sender and data',
  },
  {
    what: 'struct logger: `limit`; `refund` of zero; `gasCost` of an instruction that fails',
    opReth: 'no limit; left out; what was left',
    reason: 'kept; shown, as later inspectors; what was wanted',
  },
  {
    what: 'struct logger: `returnData`; `memory` behind a log, a hash or a load that made it longer',
    opReth: 'always empty; as long as before',
    reason: 'what was returned; as long as it is, as later inspectors',
  },
  {
    what: 'struct logger of an instruction that no fork knows',
    opReth: '-32603 `internal eth error`: its handler ends',
    reason: 'the instruction, and that it is not defined',
  },
  {
    what: '`vmTrace`: `ex.used`, `ex.mem`',
    opReth: 'the gas before the instruction; the memory before it at an offset of its length (Parity: after it)',
    reason: 'the same, of memory also what a log, a hash or a load had made longer',
  },
  {
    what:
      '`vmTrace`: `ex.store`; `ex.push` of calls, creations and failures; ' +
      '`code` of creations, of accounts created in the same block, of delegating accounts',
    opReth: 'none; the stack below; none, none, the delegation: unchanged in revm-inspectors 0.34.2 to 0.42.2',
    reason: 'what was stored; what was pushed, of a failure nothing; the code that runs',
  },
  {
    what: '`vmTrace`: frames below a call',
    opReth:
      'under other calls, from the first call of a precompile or of depth two on; no instructions where ' +
      'some frame begins and the last one ends with a STOP; an error where an instruction is not defined',
    reason: 'under the call that made them',
  },
  {
    what: '`flatCallTracer`, and any JavaScript',
    opReth: 'served; served if compiled in',
    reason: 'not offered: `trace_transaction` has that form, and no code of requests is run',
  },
  {
    what:
      '`muxTracer` with a configuration of `4byteTracer` or `noopTracer`; an invalid `timeout`; ' +
      'a base fee override without a price',
    opReth: 'refused; taken; a base fee of zero',
    reason: 'taken; refused; the base fee that was asked for',
  },
  {
    what: 'unknown tracers, alone and in `muxTracer`; traces and witness of the genesis block; of `pending`',
    opReth: '-32603 `JS Tracer is not enabled`, -32602; -32001 of its parent; -32001',
    reason: '-32000 with those that are served; -32000 with the reason; the newest block',
  },
  {
    what:
      'a call whose fees are too low and contradict each other; `chainId` of another chain; ' +
      'unknown fields of overrides',
    opReth: '`max fee per gas less than block base fee`; `invalid chain ID`; refused',
    reason: 'what contradicts; which it is; ignored, as the Go client',
  },
  {
    what: '`stateDiff` of an account that delegates anew, or no longer (EIP-7702)',
    opReth: '`code` unchanged',
    reason: 'how it changed',
  },
  {
    what: '`debug_setHead`',
    opReth: '`null`, and nothing happens',
    reason: 'the chain is rewound; an error beyond the head',
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
    what: '`debug_getBadBlocks`: `nonce` of deposits; `debug_traceBadBlock`',
    opReth: 'that of another block with the same deposit, else 0; `null`',
    reason: '0: a refused block has no receipts; the traces',
  },
  { what: '`eth_config`', opReth: '-32601', reason: 'EIP-7910, as later versions' },
];
