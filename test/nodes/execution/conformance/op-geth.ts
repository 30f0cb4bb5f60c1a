/**
 * What `debug_*` of the go flavour answers otherwise than a real op-geth did, both fed the same generated chain (deposits, system transactions,
 * creations, failures, every tracer and option), with the reason.
 */
export const TRACES_BESIDE_OP_GETH: readonly {
  readonly what: string;
  readonly opGeth: string;
  readonly reason: string;
}[] = [
  {
    what: '`debug_storageRangeAt` inside a block',
    opGeth: 'storage as it was before the block, at any index',
    reason: 'what the index asks for is shown',
  },
  {
    what: '`key` of a slot, addresses of `debug_accountRange`',
    opGeth: 'shown where it saw the preimage; accounts without are left out where it is told so',
    reason: 'preimages of trie keys are not kept',
  },
  { what: '`storage` of an account without any', opGeth: '`null`', reason: '`{}`: it is an empty map' },
  {
    what: 'stack underflow',
    opGeth: '`stack underflow (1 <=> 2)`',
    reason: 'the EVM library does not say how much was wanted',
  },
  {
    what: 'a precompile’s failure',
    opGeth: 'what was wrong with the input (`bn256: malformed point`, `invalid input length`)',
    reason: '`invalid input of a precompile`: the EVM library does not say what',
  },
  {
    what: '`gasCost` of a call whose gas does not reach its cost',
    opGeth: 'where the address is known, all that was wanted',
    reason: '100, as where the address is not known: the EVM library stops counting',
  },
  {
    what: 'the error of such a call with value',
    opGeth: '`out of gas: out of gas` where the address is not known, `out of gas` where it is',
    reason: '`out of gas`',
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
    what: 'words of the struct logger without `0x`',
    opGeth: 'storage, memory and `returnValue` (versions before 2025)',
    reason: 'with `0x`, as later versions and execution-apis have them',
  },
  {
    what: '`debug_executionWitness`',
    opGeth: 'maps by hash (versions before 2025); the genesis block ends its handler',
    reason:
      'lists, as later versions answer; an error of its own for the genesis block; all of its code and trie nodes, and some nodes more, because more accounts are looked at',
  },
  {
    what: 'tracers',
    opGeth: '`flatCallTracer`, and any JavaScript',
    reason: 'not offered: `trace_*` of the rust flavour has that form, and no code of requests is run',
  },
  {
    what: 'options out of range (`timeout` below zero or unreadable, `limit` below zero, a wrong `tracerConfig`)',
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
    what: 'unknown blocks of `debug_traceBlockBy…`, unknown transactions',
    opGeth: '`block #9 not found`; `genesis is not traceable` (versions before 2025)',
    reason: 'the words of all other methods',
  },
  {
    what: '`debug_chainConfig`',
    opGeth: 'the deposit contract’s address of zero',
    reason: 'the genesis file’s configuration as it stands',
  },
];
