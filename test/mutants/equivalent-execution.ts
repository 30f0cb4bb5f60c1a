import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of `src/nodes/execution`. */
export const EXECUTION: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/nodes/execution/block/deposit.ts': [
    {
      line: 'if (deposit.mint > 0n) await inTransaction(vm, (scope) => scope.credit(from, deposit.mint));',
      change: 'deposit.mint > 0n ⇒ true',
      reason: 'a credit of nothing makes an account that the raised nonce makes anyway',
    },
    {
      line: 'if (deposit.mint > 0n) await inTransaction(vm, (scope) => scope.credit(from, deposit.mint));',
      change: 'deposit.mint > 0n ⇒ deposit.mint >= 0n',
      reason: 'a credit of nothing makes an account that the raised nonce makes anyway',
    },
  ],
  'src/nodes/execution/chain/block-file.ts': [
    {
      line: 'rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);',
      change: 'rest.length === 0 ⇒ false',
      reason: 'a copy of the piece has the same bytes',
    },
  ],
  'src/nodes/execution/chain/block-reader.ts': [
    {
      line:
        'if (raw !== undefined && !isDeposit(raw)) ' +
        'noteRecovered(raw, { hash: transactionHash, sender: hexToBytes(from) });',
      change: 'raw !== undefined ⇒ true',
      reason: 'a stored block has a transaction for each receipt',
    },
  ],
  'src/nodes/execution/pool/account-queue.ts': [
    {
      line: 'return index >= 0n && index < this.#run.length ? this.#run[Number(index)] : this.#gapped.get(nonce);',
      change: 'index >= 0n ⇒ true',
      reason: 'no gapped nonce is below that of the account, and the run has no negative index',
    },
    {
      line: 'return index >= 0n && index < this.#run.length ? this.#run[Number(index)] : this.#gapped.get(nonce);',
      change: 'index < this.#run.length ⇒ index <= this.#run.length',
      reason: 'the nonce behind the run is never gapped',
    },
    {
      line: 'this.#readyCost -= this.#run[this.#ready]?.cost ?? 0n;',
      change: 'this.#run[this.#ready]?.cost ⇒ this.#run[this.#ready].cost',
      reason: 'the run holds all that are ready',
    },
    ...[
      'this.#highest.size <= 2 * this.#gapped.size + 64 ⇒ true',
      'this.#highest.size <= 2 * this.#gapped.size + 64 ⇒ false',
      'this.#highest.size <= 2 * this.#gapped.size + 64 ⇒ this.#highest.size < 2 * this.#gapped.size + 64',
      'this.#highest.size <= 2 * this.#gapped.size + 64 ⇒ this.#highest.size > 2 * this.#gapped.size + 64',
      '2 * this.#gapped.size + 64 ⇒ 2 * this.#gapped.size - 64',
      '2 * this.#gapped.size ⇒ 2 / this.#gapped.size',
    ].map((change) => ({
      line: 'if (this.#highest.size <= 2 * this.#gapped.size + 64) return;',
      change,
      reason: 'a heap that is built again has the same entries: the limit bounds memory',
    })),
    {
      line: 'while (heap.top !== undefined && this.#gapped.get(heap.top.transaction.nonce) !== heap.top) heap.pop();',
      change: 'heap.top !== undefined ⇒ true',
      reason: 'it is called while there are gapped ones, which the heap holds',
    },
    {
      line: 'return one.transaction.nonce > other.transaction.nonce;',
      change: 'one.transaction.nonce > other.transaction.nonce ⇒ one.transaction.nonce >= other.transaction.nonce',
      reason: 'of entries of one nonce all but one are stale, and stale ones are dropped',
    },
    {
      line: 'return left.transaction.nonce < right.transaction.nonce ? -1 : 1;',
      change: 'left.transaction.nonce < right.transaction.nonce ⇒ left.transaction.nonce <= right.transaction.nonce',
      reason: 'the nonces of an account differ',
    },
  ],
  'src/nodes/execution/pool/blobs/blob-transaction.ts': [
    {
      line: 'const hashes = (transaction.blobVersionedHashes ?? []).map(bytesToHex);',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a decoded blob transaction has a list of hashes',
    },
    ...[
      ["const computed = versionedHash(present(commitments[at], 'commitment'));", 'commitment'],
      ["const commitment = present(commitments[at], 'commitment');", 'commitment'],
      ["? await prover.verify(blob, commitment, present(proofs[at], 'proof'))", 'proof'],
    ].map(([line = '', what]) => ({
      line,
      change: `'${what}' ⇒ ""`,
      reason: 'the numbers of commitments and proofs are checked before',
    })),
  ],
  'src/nodes/execution/pool/condition/condition.ts': [
    ...[
      [
        'blockNumberMin',
        'blockNumberMax',
        'if (blockNumberMin !== undefined && blockNumberMax !== undefined && blockNumberMin > blockNumberMax)',
      ],
      [
        'timestampMin',
        'timestampMax',
        'if (timestampMin !== undefined && timestampMax !== undefined && timestampMin > timestampMax)',
      ],
    ].flatMap(([least, most, line = '']) =>
      [
        `${least} !== undefined && ${most} !== undefined ⇒ true`,
        `${least} !== undefined && ${most} !== undefined ⇒ ${least} !== undefined || ${most} !== undefined`,
        `${least} !== undefined ⇒ true`,
        `${most} !== undefined ⇒ true`,
      ].map((change) => ({ line, change, reason: 'undefined is neither above nor below a number' })),
    ),
    ...[
      ['blockNumberMin', '> number', 'block number minimum'],
      ['blockNumberMax', '< number', 'block number maximmum'],
      ['timestampMin', '> time', 'timestamp minimum'],
      ['timestampMax', '< time', 'timestamp maximum'],
    ].map(([bound, breaks, what]) => ({
      line: `if (${bound} !== undefined && ${bound} ${breaks}) return 'failed ${what} constraint';`,
      change: `${bound} !== undefined ⇒ true`,
      reason: 'undefined is neither above nor below a number',
    })),
  ],
  'src/nodes/execution/pool/eviction.ts': [
    {
      line: 'if (margin < maxPriorityFeePerGas) return margin;',
      change: 'margin < maxPriorityFeePerGas ⇒ margin <= maxPriorityFeePerGas',
      reason: 'both are equal there',
    },
    {
      line: 'this.#heap?.pop();',
      change: 'this.#heap?.pop ⇒ this.#heap.pop',
      reason: 'the line before has made the heap',
    },
    ...[
      'this.#heap.size > 2 * this.#lookup.size + 1024 ⇒ true',
      'this.#heap.size > 2 * this.#lookup.size + 1024 ⇒ false',
      'this.#heap.size > 2 * this.#lookup.size + 1024 ⇒ this.#heap.size >= 2 * this.#lookup.size + 1024',
      'this.#heap.size > 2 * this.#lookup.size + 1024 ⇒ this.#heap.size <= 2 * this.#lookup.size + 1024',
      '2 * this.#lookup.size + 1024 ⇒ 2 * this.#lookup.size - 1024',
      '2 * this.#lookup.size ⇒ 2 / this.#lookup.size',
    ].map((change) => ({
      line: 'if (this.#heap.size > 2 * this.#lookup.size + 1024) this.forget();',
      change,
      reason: 'a heap that is built again has the same entries: the limit bounds memory',
    })),
  ],
  'src/nodes/execution/pool/head-state.ts': [
    {
      line: 'gasLimit: header.gasLimit > reserved ? header.gasLimit - reserved : 0n,',
      change: 'header.gasLimit > reserved ⇒ header.gasLimit >= reserved',
      reason: 'the difference is 0 there',
    },
  ],
  'src/nodes/execution/pool/lookup.ts': [
    {
      line: '#promoted: PoolEntry[] = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a text has no sub-pool and is left out',
    },
    {
      line: 'this.#promoted = [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'a text has no sub-pool and is left out',
    },
  ],
  'src/nodes/execution/pool/pool.ts': [
    {
      line: 'this.add(transaction, { local, ...(condition === undefined ? {} : { condition }) });',
      change: 'condition === undefined ⇒ false',
      reason: 'a condition that is undefined is none',
    },
  ],
  'src/nodes/execution/query/ranges.ts': [
    {
      line: 'const words = parts.storage ? [...entriesOf(source, storageOf(account))] : [];',
      change: '[] ⇒ ["Stryker was here"]',
      reason: 'words are shown with the storage only',
    },
    {
      line: 'code: (hash) => below.code(hash),',
      change: '(hash) => below.code(hash) ⇒ () => undefined',
      reason: 'a range of slots reads no code',
    },
  ],
  'src/nodes/execution/state/account.ts': [
    {
      line: 'for (let at = 0; at < 32; at++) if (hash[at] !== EMPTY_CODE_HASH[at]) return false;',
      change: 'at < 32 ⇒ at <= 32',
      reason: 'both hashes end there',
    },
  ],
  'src/nodes/execution/state/commit.ts': [
    {
      line: "order: WriteOrder = 'removals-last',",
      change: `'removals-last' ⇒ ""`,
      reason: 'every order but removals-first is the other one',
    },
    {
      line: 'const removals = writes.filter(([, value]) => value === undefined);',
      change: 'writes.filter(([, value]) => value === undefined) ⇒ writes',
      reason: 'a value that is written a second time is the same',
    },
    {
      line: 'const removals = writes.filter(([, value]) => value === undefined);',
      change: 'value === undefined ⇒ true',
      reason: 'a value that is written a second time is the same',
    },
  ],
  'src/nodes/execution/state/state-journal.ts': [
    {
      line: 'while (this.#undo.length > mark) this.#undo.pop()?.();',
      change: 'this.#undo.pop()?.() ⇒ this.#undo.pop()()',
      reason: 'a list that is longer than a mark is not empty',
    },
    {
      line:
        'account.storageRoot === below.storageRoot || ' +
        'Buffer.compare(account.storageRoot, below.storageRoot) === 0;',
      change: 'account.storageRoot === below.storageRoot ⇒ false',
      reason: 'the same bytes are equal',
    },
    {
      line: 'return from === 0 ? value : value.subarray(from);',
      change: 'from === 0 ⇒ false',
      reason: 'the part from the first byte on is the whole',
    },
  ],
  'src/nodes/execution/transaction/transaction.ts': [
    {
      line: "if (type === undefined || !isTransactionType(type)) throw new Error('transaction type not supported');",
      change: 'type === undefined ⇒ false',
      reason: 'undefined is no type of a transaction',
    },
    {
      line: 'const recovery = type !== 0 ? v : v >= 35n ? (v - 35n) % 2n : v - 27n;',
      change: 'v - 35n ⇒ v + 35n',
      reason: 'both are odd, or both are even',
    },
    {
      line: '} catch {',
      change: '{ return undefined; } ⇒ {}',
      reason: 'a function that ends returns undefined',
    },
    {
      line: 'if (withTip > transaction.maxFeePerGas) return transaction.maxFeePerGas;',
      change: 'withTip > transaction.maxFeePerGas ⇒ withTip >= transaction.maxFeePerGas',
      reason: 'both are equal there',
    },
  ],
  'src/nodes/execution/views/block.ts': [
    {
      line: '...(header.withdrawalsRoot === undefined ? {} : { withdrawalsRoot: header.withdrawalsRoot }),',
      change: 'header.withdrawalsRoot === undefined ⇒ false',
      reason: 'JSON leaves out a field without a value',
    },
    {
      line:
        '...(header.parentBeaconBlockRoot === undefined ? {} : ' +
        '{ parentBeaconBlockRoot: header.parentBeaconBlockRoot }),',
      change: 'header.parentBeaconBlockRoot === undefined ⇒ false',
      reason: 'JSON leaves out a field without a value',
    },
    {
      line: '...(header.requestsHash === undefined ? {} : { requestsHash: header.requestsHash }),',
      change: 'header.requestsHash === undefined ⇒ false',
      reason: 'JSON leaves out a field without a value',
    },
    {
      line: 'if (entry !== undefined) return entry;',
      change: 'entry !== undefined ⇒ false',
      reason: 'the size of a header is that of its only block',
    },
    {
      line: 'SIZES.set(block.header, size);',
      change: 'SIZES.set(block.header, size); ⇒ ;',
      reason: 'the size of a header is that of its only block',
    },
  ],
};
