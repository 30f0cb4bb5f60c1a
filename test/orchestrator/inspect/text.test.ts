import { describe, expect, it } from 'vitest';
import { abiNames } from '../../../src/orchestrator/inspect/abi/abi.ts';
import { transactionLines } from '../../../src/orchestrator/inspect/text.ts';
import type { TransactionView } from '../../../src/orchestrator/inspect/transaction.ts';

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const to = { address: `0x${'42'.repeat(20)}`, name: 'weth' };
const plain: TransactionView = {
  ...{ index: 1, hash: hash('a'), kind: 'dynamic fee', place: 'main/s', from: { ...to, name: null }, to, value: '0' },
  ...{ call: null, selector: null, inputBytes: 0, status: 'success', gasUsed: 21_000, gasLimit: 30_000, nonce: 4 },
  ...{ block: { number: 7, hash: hash('b'), time: 1_790_000_000 }, creates: null, fees: null, logs: [], deposits: [] },
  ...{ deposit: null, inbox: null, carrier: null, trace: null },
};
const call = { name: 'transfer', signature: 'transfer(address to, uint256 amount)', args: { to: '0x12', amount: '5' } };
const frame = {
  number: 0,
  bytes: 58,
  l1Block: { number: 9, hash: hash('c'), timestamp: 1_790_000_010 },
  transaction: hash('d'),
};
const channel = { id: `0x${'01'.repeat(16)}` as const, frames: [frame], bytes: 58, compression: 'zlib' as const };
const leaf = {
  kind: 'CALL',
  from: '',
  to,
  value: '0',
  gasUsed: 5,
  call: null,
  selector: '0x01020304',
  error: null,
  reason: null,
};
const inner = { ...leaf, calls: [], omitted: 0 };

describe('a transaction in lines', () => {
  it.each([true, false])('says when the call of a finalized withdrawal failed (success %s)', (success) => {
    const signature = 'WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)';
    const event = { name: 'WithdrawalFinalized', signature, args: { withdrawalHash: hash('e'), success } };
    const emitter = { ...to, name: 'OptimismPortal' };
    const [line] = transactionLines({ ...plain, logs: [{ index: 0, emitter, event, topics: [] }] }).slice(-1);
    const unpaid = success ? '' : '  FAILED: the call of the withdrawal failed, nothing arrived';
    expect(line).toMatch(new RegExp(`success ${success}\\)${unpaid}$`));
  });

  it.each<[string, Partial<TransactionView>, readonly string[]]>([
    [
      'in a block',
      {},
      ['  block     7  index 1  2026-09-21T14:13:20Z', '  status    success  gas 21,000 of 30,000  nonce 4'],
    ],
    [
      'not yet in a block',
      { block: null, status: null, gasUsed: null },
      ['  block     none yet', '  status    pending  gas limit 30,000  nonce 4'],
    ],
    ['with a known call', { call }, ['  calls     transfer', '            amount 5']],
    [
      'with an unknown one',
      { selector: '0x01020304', inputBytes: 4 },
      ['  input     4 bytes, selector 0x01020304 (unknown)'],
    ],
    ['that creates', { to: null, creates: '0x99' }, ['  to        creates 0x99']],
    [
      'with fees',
      { fees: { execution: '3', l1: '2', operator: null, blobs: null, total: '5' } },
      ['  fees      5 wei (execution 3 wei, L1 2 wei)'],
    ],
    [
      'that a batch carried',
      { carrier: { kind: 'batch', batch: 'span', index: 0, blocks: 4, position: 2, channel, l1Block: frame.l1Block } },
      [
        '  batch     span batch 1, block 3 of 4, complete in L1 block 9  2026-09-21T14:13:30Z',
        `  frame 0   58 bytes  L1 block 9  calldata of ${hash('d')}`,
      ],
    ],
    [
      'that no batch carried',
      { carrier: { kind: 'none', because: 'no batch yet' } },
      ['  batch     none: no batch yet'],
    ],
    [
      'from L1',
      {
        deposit: {
          kind: 'user',
          sourceHash: hash('e'),
          mint: '1000000000',
          isSystem: false,
          l1: { block: 5, transaction: hash('f'), logIndex: 2 },
        },
      },
      ['  mint      1 gwei', `  deposit   log 2 of L1 block 5, transaction ${hash('f')}`],
    ],
    [
      'with the attributes of L1',
      {
        deposit: {
          ...{ kind: 'l1-attributes', sourceHash: hash('e'), mint: '0', isSystem: false, sequenceNumber: 1 },
          origin: { number: 4, hash: hash('f') },
          attributes: { timestamp: 1_790_000_010, baseFee: '669921875', blobBaseFee: '1', blobBaseFeeScalar: 810_949 },
        },
      },
      [
        '            timestamp 2026-09-21T14:13:30Z  (1790000010)',
        '            baseFee 0.669921875 gwei',
        '            blobBaseFee 1 wei',
        '            blobBaseFeeScalar 810,949',
      ],
    ],
    [
      'with a trace that fails within',
      { trace: { ...leaf, calls: [{ ...inner, error: 'execution reverted' }], omitted: 3 } },
      [
        '    call weth 0x01020304  gas 5',
        '      call weth 0x01020304  gas 5  FAILED: execution reverted',
        '      … 3 more calls',
      ],
    ],
    ['whose trace is missing', { trace: { missing: 'no such method' } }, ['  trace     none: no such method']],
  ])('%s', (_, changes, expected) => {
    const lines = transactionLines({ ...plain, ...changes });
    expect(lines).toEqual(expect.arrayContaining([...expected]));
  });

  it('shows a line break that a contract chose as text', () => {
    const message = 'no\n  status    success\tready';
    const reason = { name: 'Error', signature: 'Error(string message)', args: { message } };
    const trace = { ...inner, error: 'reverted\nready', reason };
    const calls = { ...call, args: { note: message } };
    const logs = [{ index: 0, emitter: to, event: calls, topics: [] }];
    const lines = transactionLines({ ...plain, call: calls, logs, trace });
    expect(lines.filter((line) => /[\n\t]/.test(line))).toEqual([]);
    expect(lines.at(-1)).toMatch(/FAILED: reverted\\nready Error\(no\\n {2}status {4}success\\tready\)$/);
  });

  it('cuts long values and long lists', () => {
    const event = { name: 'Said', signature: '', args: { words: 'x'.repeat(10_000) } };
    const logs = Array.from({ length: 1000 }, (_, index) => ({ index, emitter: to, event, topics: [] }));
    const lines = transactionLines({ ...plain, logs });
    expect(lines.length).toBeLessThan(300);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200);
    expect(lines.at(-1)).toBe('  … 800 more');
  });
});

describe('calls by their first four bytes', () => {
  const abi = abiNames({
    functions: { '0xa9059cbb': 'function transfer(address to, uint256)' },
    errors: {},
    events: { [hash('1')]: ['event Sent(address indexed from, uint256 amount)'] },
  });
  const word = (digits: string) => digits.padStart(64, '0');

  it.each([
    ['a known call', `0xa9059cbb${word('12')}${word('5')}`, { to: `0x${'12'.padStart(40, '0')}`, 1: '5' }],
    ['another selector', '0x01020304', undefined],
    ['arguments that are cut', '0xa9059cbb00', undefined],
    ['no input', '0x', undefined],
  ])('%s', (_, input, args) => {
    expect(abi.call(input)?.args).toEqual(args);
  });

  it('decodes an event only with as many indexed arguments as it has', () => {
    const topics = [hash('1'), `0x${word('12')}`];
    expect(abi.event({ topics, data: `0x${word('7')}` })).toBeNull();
    expect(
      abi.error(`0x08c379a0${word('20')}${word('2')}${Buffer.from('no').toString('hex').padEnd(64, '0')}`),
    ).toMatchObject({
      name: 'Error',
      args: { message: 'no' },
    });
  });
});
