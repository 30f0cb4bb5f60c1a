import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../src/orchestrator/inspect/block.ts';
import { blockLines, transactionLines } from '../../../src/orchestrator/inspect/text.ts';
import type { TransactionRow, TransactionView } from '../../../src/orchestrator/inspect/transaction.ts';
import { address, word } from './inspected.ts';

const named = { address: address('b'), name: 'weth' };
const bare = { address: address('a'), name: null };
const row: TransactionRow = {
  ...{ index: 1, hash: word('a'), kind: 'dynamic fee', from: bare, to: named, value: '0', call: null },
  ...{ selector: null, inputBytes: 0, status: 'success', gasUsed: 21_000 },
};
const block: BlockView = {
  ...{ place: 'main/s', number: 7, hash: word('7'), parentHash: word('6'), time: 100, at: '1970-01-01T00:01:40Z' },
  ...{ state: 'safe', gasUsed: 1234, gasLimit: 30_000, baseFee: null, extraData: '0x', origin: null, activates: [] },
  ...{ transactionCount: 0, transactions: [], carrier: null },
};
const view: TransactionView = {
  ...{ ...row, place: 'main/s', block: null, nonce: 4, gasLimit: 30_000, creates: null, fees: null, logs: [] },
  ...{ deposit: null, deposits: [], inbox: null, carrier: null, trace: null },
};
const call = { name: 'pay', signature: '', args: { to: '0x12', list: ['1', '2'] } };

describe('a block in lines', () => {
  it('has its fields, and no lines of those that it lacks', () => {
    expect(blockLines(block)).toEqual([
      'block 7 of main/s  safe',
      `  hash      ${word('7')}`,
      `  parent    ${word('6')}`,
      '  time      1970-01-01T00:01:40Z  (100)',
      '  gas       1,234 of 30,000 (4.1 %)',
      '0 transactions',
    ]);
  });

  it.each<[string, Partial<BlockView>, string]>([
    ['its base fee', { baseFee: '1000000000' }, '  gas       1,234 of 30,000 (4.1 %)  base fee 1 gwei'],
    ['no share of no gas limit', { gasUsed: 0, gasLimit: 0 }, '  gas       0 of 0 (0 %)'],
    ['its extra data', { extraData: '0x0102' }, '  extraData 0x0102'],
    [
      'its L1 origin',
      { origin: { number: 5, hash: '0x5', sequenceNumber: 3 } },
      '  L1 origin 5  0x5  sequence number 3',
    ],
    ['the forks that it activates', { activates: ['a', 'b'] }, '  forks     the first block of a, b'],
    ['what carried it', { carrier: { kind: 'none', because: 'no batch yet' } }, '  batch     none: no batch yet'],
    ['one transaction', { transactions: [row] }, '1 transaction'],
    ['two transactions', { transactions: [row, row] }, '2 transactions'],
  ])('has %s', (_, more, line) => {
    expect(blockLines({ ...block, ...more })).toContain(line);
  });

  const begin = `    1  ${word('a').slice(0, 14)}…  dynamic fee  0xaaaaaa… → `;
  it.each<[string, Partial<TransactionRow>, string]>([
    ['a transfer', {}, `${begin}weth  gas 21,000`],
    ['a call', { call, value: '1000000000' }, `${begin}weth  pay  1 gwei  gas 21,000`],
    ['an unknown call', { selector: '0x01020304' }, `${begin}weth  0x01020304  gas 21,000`],
    ['a contract that is made', { to: null }, `${begin}new contract  gas 21,000`],
    ['a revert', { status: 'reverted' }, `${begin}weth  gas 21,000  REVERTED`],
    ['no receipt', { status: null, gasUsed: null }, `${begin}weth  gas ?`],
    ['an index of four digits', { index: 1234 }, `${begin.replace('    1', '  1234')}weth  gas 21,000`],
  ])('has a row of %s', (_, more, line) => {
    expect(blockLines({ ...block, transactions: [{ ...row, ...more }] }).at(-1)).toBe(line);
  });

  it('shows 200 transactions, and says how many more there are', () => {
    const lines = (count: number) => blockLines({ ...block, transactions: Array(count).fill(row) });
    expect(lines(200)).toHaveLength(206);
    expect(lines(201)).toHaveLength(207);
    expect(lines(201).at(-1)).toBe('  … 1 more');
  });
});

describe('a transaction in lines, whole', () => {
  it('has its parties, its value and no lines of what it lacks', () => {
    expect(transactionLines(view)).toEqual([
      `dynamic fee transaction ${word('a')} on main/s`,
      '  block     none yet',
      '  status    success  gas 21,000 of 30,000  nonce 4',
      `  from      ${address('a')}`,
      `  to        ${address('b')}  weth`,
      '  value     0 wei',
    ]);
  });

  const linesOf = (more: Partial<TransactionView>) => transactionLines({ ...view, ...more }).slice(6);
  const mint = { mint: '1000000000', sourceHash: '0x5', isSystem: false };
  const frame = { channel: '0x7', number: 2, bytes: 1234, isLast: false, blob: null };
  const batch = { channel: '0x7', kind: 'span', firstBlock: 3, lastBlock: 5, transactions: 6 } as const;
  const inbox = { chain: 'main', frames: [], batches: [], problem: null };
  const l1Block = { number: 9, hash: word('c'), timestamp: 100 };
  const channel = { id: '0x7', frames: [], bytes: 1234, compression: null } as const;
  const carried = { kind: 'batch', batch: 'singular', index: 0, blocks: 1, position: 0, channel, l1Block } as const;

  it.each<[string, Partial<TransactionView>, readonly string[]]>([
    [
      'a known call with its arguments',
      { call, inputBytes: 9 },
      ['  calls     pay', '            to 0x12', '            list ["1","2"]'],
    ],
    ['an input that is too short for a selector', { inputBytes: 3 }, ['  input     3 bytes']],
    [
      'an input with an unknown selector',
      { inputBytes: 1234, selector: '0x01020304' },
      ['  input     1,234 bytes, selector 0x01020304 (unknown)'],
    ],
    [
      'all fees',
      { fees: { execution: '1', l1: '2', operator: '3', blobs: '4', total: '10' } },
      ['  fees      10 wei (execution 1 wei, L1 2 wei, operator 3 wei, blobs 4 wei)'],
    ],
    ['deposits', { deposits: [{ chain: 'main', hash: '0x1' }] }, ['  deposits  0x1 on main']],
    [
      'an upgrade',
      { deposit: { ...mint, kind: 'upgrade', forks: ['a', 'b'] } },
      ['  source    0x5', '  upgrade   of a, b'],
    ],
    [
      'an unknown deposit with a mint',
      { deposit: { ...mint, kind: 'unknown' } },
      ['  mint      1 gwei', '  source    0x5'],
    ],
    ['an unknown deposit without one', { deposit: { ...mint, mint: '0', kind: 'unknown' } }, ['  source    0x5']],
    [
      'L1 attributes',
      {
        deposit: {
          ...{ ...mint, kind: 'l1-attributes', origin: { number: 4, hash: '0x4' }, sequenceNumber: 1 },
          attributes: {
            number: 4,
            hash: '0x4',
            sequenceNumber: 1,
            batcherAddr: '0x123456',
            hex: '1234ab',
            scalar: 'x'.repeat(81),
          },
        },
      },
      [
        '  source    0x5',
        '  L1 origin 4  0x4  sequence number 1',
        '            batcherAddr 0x123456',
        '            hex 1234ab',
        `            scalar ${'x'.repeat(80)}… (81 letters)`,
      ],
    ],
    [
      'an inbox whose channel is not complete',
      { inbox, inputBytes: 9 },
      ['  batches   for main', '  batch     none yet: the channel is not complete'],
    ],
    [
      'an inbox that cannot be decoded',
      { inbox: { ...inbox, problem: 'no frame' } },
      ['  batches   for main: cannot be decoded: no frame'],
    ],
    [
      'frames and batches',
      {
        inbox: {
          ...inbox,
          frames: [frame, { ...frame, isLast: true, blob: word('b') }],
          batches: [batch, { ...batch, kind: 'singular', lastBlock: 3 }],
        },
      },
      [
        '  batches   for main',
        '  frame     2 of channel 0x7  1,234 bytes',
        '  frame     2 of channel 0x7  1,234 bytes, the last  in blob 0xbbbbbbbb…',
        '  batch     span: blocks 3 to 5, 6 transactions',
        '  batch     singular: block 3, 6 transactions',
      ],
    ],
    [
      'a batch of one block, of unknown compression',
      { carrier: carried },
      [
        '  batch     singular batch 1, complete in L1 block 9  1970-01-01T00:01:40Z',
        '  channel   0x7  1,234 bytes, unknown compression',
      ],
    ],
    [
      'frames in blobs',
      {
        carrier: {
          ...carried,
          channel: {
            ...{ ...channel, compression: 'zlib' },
            frames: [
              { number: 3, bytes: 1234, l1Block: { ...l1Block, number: 8 }, transaction: '0xd', blob: word('b') },
            ],
          },
        },
      },
      [
        '  batch     singular batch 1, complete in L1 block 9  1970-01-01T00:01:40Z',
        '  channel   0x7  1,234 bytes, zlib',
        '  frame 3   1,234 bytes  L1 block 8  blob 0xbbbbbbbb… of 0xd',
      ],
    ],
  ])('has %s', (_, more, lines) => {
    expect(linesOf(more)).toEqual(lines);
  });

  it.each<[Partial<TransactionView>, number, string]>([
    [{ block: { number: 7, hash: '0x', time: null } }, 1, '  block     7  index 1'],
    [{ block: { number: 7, hash: '0x', time: 100 } }, 1, '  block     7  index 1  1970-01-01T00:01:40Z'],
    [{ to: null }, 4, '  to        creates a contract'],
    [{ to: null, creates: '0x9' }, 4, '  to        creates 0x9'],
    [{ from: named }, 3, `  from      ${address('b')}  weth`],
  ])('has in %j the line %d', (more, at, line) => {
    expect(transactionLines({ ...view, ...more })[at]).toBe(line);
  });

  it.each<[string, TransactionView['logs'][number], string]>([
    [
      'a known event',
      { index: 2, emitter: named, event: call, topics: [] },
      '  log 2     weth  pay(to 0x12, list ["1","2"])',
    ],
    ['an unknown event', { index: 2, emitter: bare, event: null, topics: ['0x1'] }, '  log 2     0xaaaaaa…  0x1'],
    ['no topic', { index: 2, emitter: bare, event: null, topics: [] }, '  log 2     0xaaaaaa…  no topic'],
    [
      'another event that is not a success',
      { index: 2, emitter: named, event: { name: 'Done', signature: '', args: { success: false } }, topics: [] },
      '  log 2     weth  Done(success false)',
    ],
  ])('has a log of %s', (_, log, line) => {
    expect(linesOf({ logs: [log] })).toEqual([line]);
  });

  const leaf = {
    ...{ kind: 'CALL', from: '', to: named, value: '0', gasUsed: 1234, call: null, selector: null, error: null },
    ...{ reason: null, calls: [], omitted: 0 },
  };
  it('has its trace, indented by the depth of each call', () => {
    const nested = { ...leaf, kind: 'CREATE2', to: null, value: '1000000000', calls: [leaf] };
    expect(linesOf({ trace: { ...leaf, call, calls: [nested] } })).toEqual([
      '  trace     ',
      '    call weth pay(0x12, ["1","2"])  gas 1,234',
      '      create2 new contract   1 gwei  gas 1,234',
      '        call weth   gas 1,234',
    ]);
    let deep = leaf;
    for (let at = 0; at < 30; at++) deep = { ...leaf, calls: [deep] as never };
    const widths = linesOf({ trace: deep })
      .slice(1)
      .map((line) => line.search(/\S/));
    expect(widths.slice(0, 3)).toEqual([4, 6, 8]);
    expect(Math.max(...widths)).toBe(40);
    expect(widths).toHaveLength(31);
  });

  it('shows 80 letters of a value, and says how long a longer one is', () => {
    const lines = (length: number) => linesOf({ call: { ...call, args: { text: 'y'.repeat(length) } } })[1];
    expect(lines(80)).toBe(`            text ${'y'.repeat(80)}`);
    expect(lines(81)).toBe(`            text ${'y'.repeat(80)}… (81 letters)`);
  });
});
