import { describe, expect, it } from 'vitest';
import { BATCHER_OPTIONS } from '../../../../src/nodes/batcher/options/options.ts';
import { ENDPOINT_OPTIONS, TXMGR_OPTIONS } from '../../../../src/nodes/txmgr/program/options.ts';
import { COMMON_OPTIONS } from '../../../../src/system/program/common-options.ts';

/** Default values by the flags of op-batcher. Durations are in milliseconds. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  'l2-eth-rpc': 'http://127.0.0.1:9545',
  'data-availability-type': 'calldata',
  'batch-type': '0',
  'max-blocks-per-span-batch': 0,
  compressor: 'shadow',
  'approx-compr-ratio': 0.6,
  'compression-algo': 'zlib',
  'max-channel-duration': 1,
  'sub-safety-margin': 10,
  'target-num-frames': 1,
  'max-l1-tx-size-bytes': 120_000,
  'max-pending-tx': 10,
  'poll-interval': 500,
  'wait-node-sync': false,
  'check-recent-txs-depth': 0,
  'throttle.unsafe-da-bytes-lower-threshold': 3_200_000,
  'throttle.unsafe-da-bytes-upper-threshold': 12_800_000,
  'throttle.controller-type': 'quadratic',
  'throttle.tx-size-lower-limit': 150,
  'throttle.tx-size-upper-limit': 20_000,
  'throttle.block-size-lower-limit': 2000,
  'throttle.block-size-upper-limit': 130_000,
  'throttle.additional-endpoints': [],
  'altda.enabled': false,
  'altda.da-server': undefined,
  'altda.da-service': false,
  'altda.put-timeout': 0,
  'altda.max-concurrent-da-requests': 1,
  stopped: false,
};
const shared = new Set(
  [COMMON_OPTIONS, ENDPOINT_OPTIONS, TXMGR_OPTIONS].flatMap((table) => Object.values(table).map(({ name }) => name)),
);
const OWN = Object.values(BATCHER_OPTIONS).filter(({ name }) => !shared.has(name));
const optionOf = (name: string) => OWN.find((option) => option.name === name);

describe('an option of the batcher', () => {
  it('has the flag and the default of op-batcher', () => {
    const defaults = OWN.map((option) => [option.name, 'default' in option ? option.default : undefined]);
    expect(Object.fromEntries(defaults)).toEqual(DEFAULTS);
    for (const name of shared) expect(Object.values(BATCHER_OPTIONS).map((option) => option.name)).toContain(name);
  });

  it.each(OWN)('$name has the environment variable of its flag, and a help text', ({ name, env, help }) => {
    expect(env).toBe(name.toUpperCase().replaceAll(/[.-]/g, '_'));
    expect(help).toMatch(/\w+ \w+/);
  });

  it.each([
    ['data-availability-type', ['calldata', 'blobs', 'auto']],
    ['batch-type', ['0', '1']],
    ['compressor', ['shadow', 'ratio', 'none']],
    ['compression-algo', ['zlib', 'brotli', 'brotli-9', 'brotli-10', 'brotli-11']],
    ['throttle.controller-type', ['step', 'linear', 'quadratic']],
  ])('%s takes %j', (name, values) => {
    const type = optionOf(name)?.type;
    expect(type?.label).toBe(values.join('|'));
    for (const value of values) expect(type?.parse(value)).toBe(value);
    expect(() => type?.parse('')).toThrow('expected one of');
  });

  it.each([
    ['poll-interval', '500ms'],
    ['altda.put-timeout', '0s'],
  ])('%s shows its default as %s, which stands for it', (name, text) => {
    const option = optionOf(name);
    expect(option).toMatchObject({ defaultText: text });
    expect(option?.type.parse(text)).toBe(DEFAULTS[name]);
  });
});
