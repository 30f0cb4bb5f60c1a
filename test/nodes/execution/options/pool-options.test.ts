import { expect, test } from 'vitest';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import { readOptions } from '../../../../src/nodes/execution/options/options.ts';
import { poolOptionsOf } from '../../../../src/nodes/execution/options/pool-options.ts';
import { receiptTimeoutsOf, submissionOptionsOf } from '../../../../src/nodes/execution/options/submission-options.ts';

const read = (flavour: 'go' | 'rust', ...argv: string[]) =>
  poolOptionsOf(readOptions(argv, {}).values, FLAVOURS[flavour].pool, '/data');

test('the pool has the defaults of its client without an option', () => {
  expect(read('go')).toMatchObject({
    settings: {
      limits: { kind: 'slots', accountSlots: 16, globalSlots: 5120, accountQueue: 64, globalQueue: 1024 },
      minTip: 1n,
      minFeeCap: 0n,
      priceBump: 10,
      lifetime: 3 * 3_600_000,
      feeCap: 10n ** 18n,
      allowUnprotected: false,
    },
    journal: { path: '/data/transactions.rlp', rewriteAfter: 3_600_000 },
  });
  const limit = { count: 10_000, bytes: 20 * 1024 * 1024 };
  expect(read('rust').settings).toMatchObject({
    limits: { kind: 'subpools', pending: limit, basefee: limit, queued: limit, accountSlots: 16 },
    minTip: 0n,
    minFeeCap: 7n,
    allowUnprotected: true,
  });
});

test('the pool options of the go client set its limits', () => {
  const { settings, journal } = read(
    'go',
    '--txpool.accountslots=1',
    '--txpool.globalslots=2',
    '--txpool.accountqueue=3',
    '--txpool.globalqueue=4',
    '--txpool.pricelimit=5',
    '--txpool.pricebump=6',
    '--txpool.lifetime=7m',
    '--txpool.journal=/elsewhere/journal',
    '--txpool.rejournal=8s',
    '--txpool.locals=0x00000000000000000000000000000000000000AA',
    '--rpc.txfeecap=0.5',
    '--rpc.allow-unprotected-txs',
  );
  expect(settings).toMatchObject({
    limits: { accountSlots: 1, globalSlots: 2, accountQueue: 3, globalQueue: 4 },
    minTip: 5n,
    priceBump: 6,
    lifetime: 420_000,
    feeCap: 5n * 10n ** 17n,
    allowUnprotected: true,
    locals: new Set(['0x00000000000000000000000000000000000000aa']),
  });
  expect(journal).toEqual({ path: '/elsewhere/journal', rewriteAfter: 8000 });
});

test('the pool options of the rust client set its limits', () => {
  const { settings, journal } = read(
    'rust',
    '--txpool.pending-max-count=1',
    '--txpool.pending-max-size=2',
    '--txpool.basefee-max-count=3',
    '--txpool.queued-max-size=4',
    '--txpool.max-account-slots=5',
    '--txpool.minimal-protocol-fee=6',
    '--txpool.minimum-priority-fee=7',
    '--txpool.max-tx-gas=8',
    '--txpool.max-tx-input-bytes=9',
    '--txpool.lifetime=600',
    '--txpool.transactions-backup=backup.rlp',
  );
  const megabyte = 1024 * 1024;
  expect(settings).toMatchObject({
    limits: {
      pending: { count: 1, bytes: 2 * megabyte },
      basefee: { count: 3, bytes: 20 * megabyte },
      queued: { count: 10_000, bytes: 4 * megabyte },
      accountSlots: 5,
    },
    minFeeCap: 6n,
    minTip: 7n,
    maxGas: 8n,
    maxBytes: 9,
    lifetime: 600_000,
  });
  expect(journal?.path).toBe('/data/backup.rlp');
});

test.each([['--txpool.nolocals'], ['--txpool.journal='], ['--txpool.disable-transactions-backup']])(
  'the pool has no journal with %s',
  (argument) => {
    expect(read('rust', argument).journal).toBeUndefined();
  },
);

test.each([
  ['go', '--txpool.pending-max-count=1', /--txpool\.pending-max-count: only the rust client has this option/],
  ['rust', '--txpool.globalslots=1', /--txpool\.globalslots: only the go client has this option/],
  ['go', '--txpool.accountslots=0', /txpool\.accountslots.*one or more/],
  ['go', '--txpool.locals=me', /--txpool\.locals: expected addresses, found me/],
  ['rust', '--rpc.txfeecap=-1', /rpc\.txfeecap/],
] as const)('%s refuses %s', (flavour, argument, message) => {
  expect(() => read(flavour, argument)).toThrow(message);
});

test('options set the sequencer to forward to, and how long a caller waits for a receipt', () => {
  const submission = (flavour: 'go' | 'rust', ...argv: string[]) =>
    submissionOptionsOf(readOptions(argv, {}).values, FLAVOURS[flavour].pool);
  const sequencer = 'http://127.0.0.1:1';
  expect(submission('go')).toEqual({ admission: false });
  expect(submission('go', `--rollup.sequencerhttp=${sequencer}`, '--rollup.enabletxpooladmission')).toEqual({
    admission: true,
    sequencer,
  });
  expect(submission('rust', `--rollup.sequencer-http=${sequencer}`)).toEqual({ admission: true, sequencer });
  expect(submission('rust', '--rollup.enabletxpooladmission=false')).toEqual({ admission: false });
  const receiptTimeouts = (flavour: 'go' | 'rust', ...argv: string[]) =>
    receiptTimeoutsOf(readOptions(argv, {}).values, FLAVOURS[flavour].pool);
  expect(receiptTimeouts('go')).toEqual({ standard: 20_000, most: 60_000 });
  expect(receiptTimeouts('rust')).toEqual({ standard: 30_000, most: 30_000 });
  expect(receiptTimeouts('go', '--rpc.txsync.defaulttimeout=1s', '--rpc.txsync.maxtimeout=2s')).toEqual({
    standard: 1000,
    most: 2000,
  });
  expect(receiptTimeouts('rust', '--rpc.send-raw-transaction-sync-timeout=3s')).toEqual({ standard: 3000, most: 3000 });
});
