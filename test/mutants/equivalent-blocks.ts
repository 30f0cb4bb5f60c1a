import type { EquivalentMutant } from './equivalent.ts';

const AT_LIMIT = 'both are equal there';
const EVERY_ORDER = 'the blocks that all sets have are the same in every order: the smallest first saves time';
const SAME_WRITE = 'a label that is written again is the same: the check saves a transaction of the database';
const SAVES_TIME = 'an index row that is written again is the same: the note of those that are there saves time';

/** Equivalent mutants of the blocks of `src/nodes/execution`: how they are run, stored and searched. */
export const BLOCKS: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/nodes/execution/block/executor.ts': [
    ...['depositContract', 'transactionsRoot'].map((name) => ({
      line: `...(${name} === undefined ? {} : { ${name} }),`,
      change: `${name} === undefined ⇒ false`,
      reason: 'a field that is undefined is read as one that is absent',
    })),
  ],
  'src/nodes/execution/block/seal.ts': [
    {
      line:
        'receipts: receipts.map((receipt, at) => ' +
        "withShares(receipt, present(transactions[at], 'transaction'), fees)),",
      change: `'transaction' ⇒ ""`,
      reason: 'a block has a transaction for each receipt',
    },
    {
      line: 'if (withdrawals.length === 0) return;',
      change: 'withdrawals.length === 0 ⇒ false',
      reason: 'a transaction that does nothing changes nothing',
    },
    ...[
      'l1 === null || receipt.type !== DEPOSIT_TYPE ⇒ l1 === null && receipt.type !== DEPOSIT_TYPE',
      'receipt.type !== DEPOSIT_TYPE ⇒ false',
    ].map((change) => ({
      line: 'if (l1 === null || receipt.type !== DEPOSIT_TYPE) return receipt;',
      change,
      reason: 'the receipt of a signed transaction has the same values already',
    })),
    {
      line: 'if (l1 === null || receipt.type !== DEPOSIT_TYPE) return receipt;',
      change: 'l1 === null ⇒ false',
      reason: 'a chain without L1 fees has no deposits',
    },
    {
      line: "case 'absent':",
      change: `'absent' ⇒ ""`,
      reason: 'a function that ends returns undefined',
    },
  ],
  'src/nodes/execution/block/transition.ts': [
    {
      line: '{ reportsAccess = false } = {},',
      change: 'false ⇒ true',
      reason: 'a body that does not ask for the access does not see it',
    },
    {
      line: 'const settled = gasBeforeRefund - (refund < most ? refund : most);',
      change: 'refund < most ⇒ refund <= most',
      reason: AT_LIMIT,
    },
    {
      line: 'return settled < floor ? floor : settled;',
      change: 'settled < floor ⇒ settled <= floor',
      reason: AT_LIMIT,
    },
    {
      line: 'const { blobVersionedHashes: hashes = [], maxFeePerBlobGas = 0n } = transaction;',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a list of a malformed hash is refused as an empty one is',
    },
  ],
  'src/nodes/execution/chain/chain.ts': [
    {
      line: 'if (this.stateRetention !== undefined && !this.hasState(header))',
      change: 'this.stateRetention !== undefined ⇒ true',
      reason: 'without a limit every state is kept',
    },
    {
      line: 'if (at !== undefined) targets.push([label, at]);',
      change: 'at !== undefined ⇒ true',
      reason: 'a label without a block moves to none, and is left out as one that stays',
    },
    {
      line: 'const moved = targets.filter(([label, hash]) => this.#labels.get(label) !== hash);',
      change: 'targets.filter(([label, hash]) => this.#labels.get(label) !== hash) ⇒ targets',
      reason: SAME_WRITE,
    },
    {
      line: 'const moved = targets.filter(([label, hash]) => this.#labels.get(label) !== hash);',
      change: 'this.#labels.get(label) !== hash ⇒ true',
      reason: SAME_WRITE,
    },
    { line: 'if (moved.length === 0) return change;', change: 'moved.length === 0 ⇒ false', reason: SAME_WRITE },
    {
      line: 'this.#indexed.add(block.hash);',
      change: 'this.#indexed.add(block.hash); ⇒ ;',
      reason: SAVES_TIME,
    },
    {
      line: 'return hash !== undefined && this.knownHeader(hash).number > this.knownHeader(fork).number ? fork : hash;',
      change:
        'this.knownHeader(hash).number > this.knownHeader(fork).number ⇒ ' +
        'this.knownHeader(hash).number >= this.knownHeader(fork).number',
      reason: 'a label is an ancestor of the head: at the height of the fork point it is the fork point',
    },
  ],
  'src/nodes/execution/chain/datadir.ts': [
    ...["store.fact('fork-times') !== undefined && was === text ⇒ false", `'fork-times' ⇒ ""`].map((change) => ({
      line: "if (store.fact('fork-times') !== undefined && was === text) return;",
      change,
      reason: 'the same times pass the check and are written again',
    })),
    {
      line: 'if (genesis.definition.text === text) return stored;',
      change: 'genesis.definition.text === text ⇒ false',
      reason: 'the same definition passes the check and is written again',
    },
    {
      line: 'if (cached === undefined) return;',
      change: 'cached === undefined ⇒ false',
      reason: 'a copy of nothing fails, and the datadir is initialised directly then, too',
    },
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function that ends returns undefined',
    },
  ],
  'src/nodes/execution/chain/split-alloc.ts': [
    {
      line: "let text = '';",
      change: `'' ⇒ "Stryker was here!"`,
      reason: 'every text but alloc is another key',
    },
    ...['backslash < at ⇒ true', 'backslash < at ⇒ backslash <= at'].map((change) => ({
      line: 'if (backslash < at) backslash = offsetOf(BACKSLASH, piece, at);',
      change,
      reason: 'the same search again has the same result: the check saves time',
    })),
  ],
  'src/nodes/execution/query/logs.ts': [
    {
      line: "from: typeof filter.fromBlock === 'number' ? filter.fromBlock : 0,",
      change: "typeof filter.fromBlock === 'number' ⇒ true",
      reason: 'no number is below a tag, and none of a block is below undefined or null',
    },
    {
      line: 'any.some((one) => one === null) ? [] : any.flatMap((one) => one ?? []),',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a list with null is replaced before',
    },
    {
      line:
        "if (fromBlock == null || fromBlock === 'latest' || " +
        "(typeof fromBlock === 'number' && fromBlock > toBlock))",
      change: "typeof fromBlock === 'number' ⇒ true",
      reason: 'no tag is above a number',
    },
    ...['hexToBytes(header.logsBloom).some((byte) => byte !== 0) ⇒ true', 'byte !== 0 ⇒ true'].map((change) => ({
      line: 'if (hexToBytes(header.logsBloom).some((byte) => byte !== 0)) yield number;',
      change,
      reason: 'a block without a bloom has no logs: the check saves a read',
    })),
    ...[
      'sets.sort((left, right) => left.size - right.size) ⇒ sets',
      '(left, right) => left.size - right.size ⇒ () => undefined',
      'left.size - right.size ⇒ left.size + right.size',
    ].map((change) => ({
      line: 'const [smallest, ...others] = sets.sort((left, right) => left.size - right.size);',
      change,
      reason: EVERY_ORDER,
    })),
    {
      line: 'for (const number of [...(smallest ?? [])].sort((left, right) => left - right)) {',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'there is a set for each constraint, and one constraint at least',
    },
    {
      line: 'if (topics.length === 0) return true;',
      change: 'topics.length === 0 ⇒ false',
      reason: 'every log has all of no topics',
    },
  ],
  'src/nodes/execution/query/simulate-blocks.ts': [
    {
      line: "const timestamp = present(blockOverrides?.timestamp, 'time of a simulated block');",
      change: 'blockOverrides?.timestamp ⇒ blockOverrides.timestamp',
      reason: 'each planned block has its number and time',
    },
    {
      line: 'number: parent.number + 1,',
      change: 'parent.number + 1 ⇒ parent.number - 1',
      reason: 'each planned block has its number and time',
    },
    {
      line: 'if (call.gas != null && call.gas > left)',
      change: 'call.gas != null ⇒ true',
      reason: 'neither undefined nor null is above the gas that is left',
    },
    {
      line: '} finally {',
      change: '{ inspection?.end(); } ⇒ {}',
      reason: 'the next call attaches a tracer of its own, and the next block has an EVM of its own',
    },
    {
      line: 'to: transaction.to === null ? null : bytesToHex(transaction.to),',
      change: 'transaction.to === null ⇒ true',
      reason: 'no view shows the recipient of a simulated receipt, and its root does not depend on it',
    },
  ],
};
