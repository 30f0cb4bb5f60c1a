import { describe, expect, it } from 'vitest';
import { POOL_OPTIONS, type PoolOptionKey } from '../../../../src/nodes/execution/pool/options.ts';
import { parseOptions } from '../../../../src/system/program/options.ts';

const LINE = { name: 'execution-client', version: 'test', summary: '', envPrefixes: ['GETH_'] };
const parsed = (argv: readonly string[], env: Record<string, string> = {}) =>
  parseOptions(LINE, POOL_OPTIONS, argv, env).values;
const ETHER = 10n ** 18n;

/** Each option: how geth or reth spells it, a text, and its value. */
const SPELLED: readonly (readonly [PoolOptionKey, string, string, unknown])[] = [
  ['poolLocals', 'txpool.locals', '0xa,0xb', ['0xa', '0xb']],
  ['poolNoLocals', 'txpool.nolocals', 'true', true],
  ['poolJournal', 'txpool.journal', 'a.rlp', 'a.rlp'],
  ['poolBackup', 'txpool.transactions-backup', 'a.rlp', 'a.rlp'],
  ['poolNoBackup', 'txpool.disable-transactions-backup', 'true', true],
  ['poolRejournal', 'txpool.rejournal', '1s', 1000],
  ['poolPriceLimit', 'txpool.pricelimit', '1', 1],
  ['poolPriceBump', 'txpool.pricebump', '5', 5],
  ['poolAccountSlots', 'txpool.accountslots', '5', 5],
  ['poolGlobalSlots', 'txpool.globalslots', '5', 5],
  ['poolAccountQueue', 'txpool.accountqueue', '5', 5],
  ['poolGlobalQueue', 'txpool.globalqueue', '5', 5],
  ['poolLifetime', 'txpool.lifetime', '1m', 60_000],
  ['poolPendingCount', 'txpool.pending-max-count', '5', 5],
  ['poolPendingSize', 'txpool.pending-max-size', '5', 5],
  ['poolBasefeeCount', 'txpool.basefee-max-count', '5', 5],
  ['poolBasefeeSize', 'txpool.basefee-max-size', '5', 5],
  ['poolQueuedCount', 'txpool.queued-max-count', '5', 5],
  ['poolQueuedSize', 'txpool.queued-max-size', '5', 5],
  ['poolMaxAccountSlots', 'txpool.max-account-slots', '5', 5],
  ['poolMinFeeCap', 'txpool.minimal-protocol-fee', '0', 0],
  ['poolMinTip', 'txpool.minimum-priority-fee', '0', 0],
  ['poolMaxGas', 'txpool.max-tx-gas', '5', 5],
  ['poolMaxBytes', 'txpool.max-tx-input-bytes', '5', 5],
  ['rpcFeeCap', 'rpc.txfeecap', '2', 2n * ETHER],
  ['rpcAllowUnprotected', 'rpc.allow-unprotected-txs', 'true', true],
];

/** The options that geth reads from the environment, too: spelt as the option. */
const OF_ENVIRONMENT =
  'locals nolocals journal rejournal pricelimit pricebump accountslots globalslots accountqueue globalqueue lifetime';

describe('an option of the pool', () => {
  it.each(SPELLED)('%s is spelt --%s', (key, name, text, value) => {
    expect(parsed([`--${name}=${text}`])[key]).toEqual(value);
  });

  it('is listed here', () => {
    expect(SPELLED.map(([key]) => key).toSorted()).toEqual(Object.keys(POOL_OPTIONS).toSorted());
  });

  it.each(SPELLED)('%s may come from the environment if geth reads it there', (key, name, text, value) => {
    const isRead = [...OF_ENVIRONMENT.split(' ').map((each) => `txpool.${each}`), 'rpc.txfeecap'].includes(name);
    const found = parsed([], { [`GETH_${name.toUpperCase().replace('.', '_')}`]: text })[key];
    expect(found).toEqual(isRead ? value : parsed([])[key]);
  });
});

it('the options of the pool that are not given have the values of geth, or none', () => {
  const {
    poolNoLocals,
    poolNoBackup,
    poolRejournal,
    poolPriceBump,
    poolLifetime,
    rpcFeeCap,
    rpcAllowUnprotected,
    ...rest
  } = parsed([]);
  expect([poolNoLocals, poolNoBackup, rpcAllowUnprotected]).toEqual([false, false, false]);
  expect([poolRejournal, poolPriceBump, poolLifetime, rpcFeeCap]).toEqual([3_600_000, 10, 10_800_000, ETHER]);
  expect(Object.values(rest).every((value) => value === undefined)).toBe(true);
});

it.each([
  ['txpool.lifetime', 'poolLifetime', '90', 90_000],
  ['txpool.lifetime', 'poolLifetime', '1h30m', 5_400_000],
  ['rpc.txfeecap', 'rpcFeeCap', '0', 0n],
  ['rpc.txfeecap', 'rpcFeeCap', '0.000000001', 10n ** 9n],
  ['rpc.txfeecap', 'rpcFeeCap', '1.5', (3n * ETHER) / 2n],
  ['rpc.txfeecap', 'rpcFeeCap', '1000000000', 10n ** 27n],
] as const)('--%s (%s) reads %s as %s', (name, key, text, value) => {
  expect(parsed([`--${name}=${text}`])[key]).toBe(value);
});

it.each([
  ['txpool.pricelimit', '0'],
  ['txpool.pricelimit', '1.5'],
  ['txpool.lifetime', 'soon'],
  ['txpool.lifetime', 'x90'],
  ['rpc.txfeecap', '-1'],
  ['rpc.txfeecap', '1000000001'],
  ['rpc.txfeecap', 'x'],
])('--%s=%s is refused', (name, text) => {
  expect(() => parsed([`--${name}=${text}`])).toThrow(`--${name}`);
});
