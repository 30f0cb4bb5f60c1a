import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { option, parseDuration, parseOptions } from '../../../src/system/program/options.ts';

const line = { name: 'program', version: '1.2.3', summary: 'A program.', envPrefixes: ['PROGRAM_', 'OTHER_'] };
const table = {
  url: { name: 'l1', env: 'L1', help: 'endpoint', type: option.url('http:', 'ws:'), default: 'http://127.0.0.1:8545' },
  count: { name: 'l1.count', env: 'COUNT', help: 'a count', type: option.natural, default: 3 },
  enabled: { name: 'rpc.enabled', env: 'ENABLED', help: 'a switch', type: option.boolean, default: false },
  poll: { name: 'poll', env: 'POLL', help: 'an interval', type: option.duration, default: 12_000, defaultText: '12s' },
  peers: { name: 'p2p.static', env: 'STATIC', help: 'peers', type: option.list, default: [] as string[] },
  kind: { name: 'kind', env: 'KIND', help: 'a kind', type: option.choice('geth', 'reth') },
} as const;
const parse = (argv: string[], env: Record<string, string> = {}) => parseOptions(line, table, argv, env);

describe('program options', () => {
  it('take defaults, environment, then flags', () => {
    expect(parse([]).values).toEqual({
      url: 'http://127.0.0.1:8545',
      count: 3,
      enabled: false,
      poll: 12_000,
      peers: [],
      kind: undefined,
    });
    expect(parse([], { PROGRAM_COUNT: '4', OTHER_ENABLED: 'true' }).values).toMatchObject({ count: 4, enabled: true });
    expect(parse(['--l1.count=5'], { PROGRAM_COUNT: '4' }).values.count).toBe(5);
    expect([...parse(['--l1.count=5'], { OTHER_KIND: 'reth' }).explicit].sort()).toEqual(['count', 'kind']);
  });

  it.each([
    [['--rpc.enabled'], true],
    [['--rpc.enabled=false'], false],
    [['--rpc.enabled', 'false'], false],
    [['-rpc.enabled'], true],
    [['--rpc.enabled', 'genesis.json'], true],
  ])('read the switch %o', (argv, value) => {
    expect(parse(argv).values.enabled).toBe(value);
  });

  it('keep operands apart from a switch before them', () => {
    expect(parse(['init', '--rpc.enabled', 'genesis.json']).operands).toEqual(['init', 'genesis.json']);
  });

  it('join lists', () => {
    expect(parse(['--p2p.static=a,b', '--p2p.static', 'c']).values.peers).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [['--l1.count=x'], '--l1.count: expected a whole number'],
    [['--kind=besu'], '--kind: expected one of geth, reth, found "besu"'],
    [['--l1=ftp://x'], '--l1: expected a URL'],
    [['--poll=5'], 'expected a duration'],
    [['--l1.coun=3'], 'Did you mean --l1.count?'],
  ])('refuse %o', (argv, words) => {
    expect(() => parse(argv)).toThrow(words);
  });

  it('suggest the nearest option and report all bad values at once', () => {
    expect(() => parse(['--l1.coumt=3'])).toThrow('Did you mean --l1.count?');
    expect(() => parse(['--l1.count=x', '--kind=y'], { PROGRAM_POLL: 'z' })).toThrow(
      /l1.count[\s\S]*PROGRAM_POLL[\s\S]*--kind/,
    );
  });

  it('show each option with its environment name and default in help', () => {
    try {
      parse(['--help']);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'help', exit: 0 });
      expect((error as Error).message.replace(/\s+/g, ' ')).toContain(
        '--poll <duration> an interval (default: 12s) [$PROGRAM_POLL]',
      );
    }
  });

  it('read durations as Go writes them', () => {
    expect(['6m24s', '1h0m0s', '500ms', '1.5s', '0', '-1s', '5', ''].map(parseDuration)).toEqual([
      384_000,
      3_600_000,
      500,
      1500,
      0,
      -1000,
      undefined,
      undefined,
    ]);
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.nat(59),
        fc.nat(59),
        (h, m, s) => parseDuration(`${h}h${m}m${s}s`) === ((h * 60 + m) * 60 + s) * 1000,
      ),
    );
  });
});
