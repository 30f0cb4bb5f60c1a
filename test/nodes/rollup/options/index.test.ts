import { describe, expect, it } from 'vitest';
import { ALL_OPTIONS, readOptions } from '../../../../src/nodes/rollup/options/index.ts';
import { UNSUPPORTED_OPTIONS } from '../../../../src/nodes/rollup/options/unsupported.ts';
import { FORKS } from '../../../../src/protocol/forks/index.ts';
import type { OptionSpec } from '../../../../src/system/program/options.ts';

const needed = ['--rollup.config=rollup.json', '--l2=http://127.0.0.1:8551'];
const read = (argv: string[], env: Record<string, string> = {}) => readOptions([...needed, ...argv], env);

/** Returns a value other than the option's default. */
const OTHER: Record<string, string> = {
  string: 'something',
  'true|false': 'toggle',
  number: '99',
  duration: '99s',
  'a,b,…': 'one,two',
  'consensus-layer|execution-layer': 'execution-layer',
};

function otherThanDefault({ type, default: fallback }: OptionSpec): string {
  if (type.label === 'true|false') return String(!fallback);
  const fixed = { url: 'http://other:1', port: '99', ...OTHER } as Record<string, string>;
  return fixed[type.label] ?? type.label.split('|').find((choice) => choice !== fallback)!;
}

const HELP = (() => {
  try {
    readOptions(['--help'], {});
    return '';
  } catch (error) {
    return (error as Error).message;
  }
})();

describe('options of the rollup node', () => {
  it('have the defaults of the interface', () => {
    expect(read([])).toMatchObject({
      l1: 'http://127.0.0.1:8545',
      epochPoll: 384_000,
      httpPoll: 12_000,
      maxConcurrency: 10,
      maxBatch: 20,
      cacheSize: 900,
      rpcAddr: '0.0.0.0',
      rpcPort: 9545,
      p2pListenTcp: 9222,
      sequencerL1Confs: 4,
      verifierL1Confs: 0,
      p2pBanThreshold: -100,
      p2pScoring: 'light',
      forkOverrides: {},
    });
  });

  it('are read from the environment under both prefixes', () => {
    expect(read([], { ROLLUP_NODE_L1_ETH_RPC: 'ws://l1:1', OP_NODE_SEQUENCER_ENABLED: 'true' })).toMatchObject({
      l1: 'ws://l1:1',
      sequencerEnabled: true,
    });
    expect(read([], { ROLLUP_NODE_OVERRIDE_HOLOCENE: '5' }).forkOverrides).toEqual({ holocene: 5 });
  });

  it.each(Object.values(ALL_OPTIONS).map((spec) => [spec.name, spec] as const))(
    '--%s is read from flags and under both prefixes alike, and --help shows its variable and default',
    (name, spec: OptionSpec) => {
      const others = needed.filter((word) => !word.startsWith(`--${name}=`));
      const outcome = (argv: string[], env: Record<string, string>) => {
        try {
          return JSON.stringify({ ...readOptions([...others, ...argv], env), explicit: [] });
        } catch (error) {
          return (error as Error).message.replaceAll(new RegExp(`(ROLLUP|OP)_NODE_${spec.env}`, 'g'), `--${name}`);
        }
      };
      const text = otherThanDefault(spec);
      const byFlag = outcome([`--${name}=${text}`], {});
      expect(byFlag).not.toBe(outcome([], {}));
      for (const prefix of ['ROLLUP_NODE_', 'OP_NODE_'])
        expect(outcome([], { [`${prefix}${spec.env}`]: text })).toBe(byFlag);
      const help = HELP.split(`\n  --${name} `)[1]!
        .split(/\n {2}-/)[0]!
        .replaceAll(/\s+/g, ' ');
      expect(help).toContain(`[$ROLLUP_NODE_${spec.env}]`);
      const fallback = spec.defaultText ?? spec.default;
      if (fallback !== undefined && `${fallback}` !== '') expect(help).toContain(`(default: ${fallback})`);
    },
  );

  it('move every fork that can be moved, also to genesis', () => {
    for (const { name, override } of FORKS)
      if (override !== null) expect(read([`--${override}=0`]).forkOverrides).toEqual({ [name]: 0 });
  });

  it.each(Object.values(UNSUPPORTED_OPTIONS).map((spec) => [spec.name, spec] as const))(
    'refuse --%s at another value than its default, with the reason, and accept the default',
    (name, spec) => {
      const fallback = spec.default;
      const other = OTHER[spec.type.label] === 'toggle' ? String(!fallback) : OTHER[spec.type.label];
      expect(() => read([`--${name}=${other}`])).toThrow(`--${name}: ${spec.reason}`);
      const text = Array.isArray(fallback) ? fallback.join(',') : (spec.defaultText ?? fallback);
      if (text !== undefined) expect(() => read([`--${name}=${text}`])).not.toThrow();
    },
  );

  it.each([
    [[], '--rollup.config is missing'],
    [['--rollup.config=x'], '--l2 is missing'],
    [[...needed, '--p2p.static=127.0.0.1:9222'], '--p2p.static: expected /ip4/<address>/tcp/<port>/p2p/<peer id>'],
    [[...needed, '--p2p.netrestrict=10.0.0.0'], '--p2p.netrestrict: expected a subnet'],
    [[...needed, '--p2p.sequencer.key=0x12'], '--p2p.sequencer.key: expected 64 hex digits'],
    [[...needed, '--l1.beacon-header=Key'], '--l1.beacon-header: expected "Name: Value"'],
    [[...needed, 'extra'], 'unexpected word "extra"'],
    [[...needed, '--pprof.type=goroutine'], "goroutine profiles are of Go's runtime"],
    [[...needed, '--pprof.type=cup'], 'expected one of cpu, heap, allocs'],
    [[...needed, '--pprof.path=x'], '--pprof.type is missing'],
    [[...needed, '--p2p.peers.lo=9', '--p2p.peers.hi=3'], '--p2p.peers.lo=9 is above --p2p.peers.hi=3'],
    [[...needed, '--p2p.bootnodes=enode'], '--p2p.bootnodes: expected node records'],
    [[...needed, '--interop.rpc.addr=127.0.0.1'], '--interop.jwt-secret is missing'],
    [[...needed, '--interop.jwt-secret=x'], '--interop.jwt-secret without --interop.rpc.addr'],
    [
      [...needed, '--p2p.disable', `--p2p.bootnodes=enr:${'a'.repeat(90)}`],
      '--p2p.disable disables discovery, which --p2p.bootnodes needs',
    ],
    [
      [...needed, '--p2p.no-discovery', `--p2p.bootnodes=enr:${'a'.repeat(90)}`],
      'disables discovery, which --p2p.bootnodes needs',
    ],
    [[...needed, '--sequencer.enabled', '--sequencer.l1-confs=151'], 'the L1 blocks of the sequencer drift (1800 s)'],
    [[...needed, '--p2p.nat', '--p2p.nat.gateway=http://router/x'], 'expected http://<IP address>:<port>/<path>'],
    [[...needed, '--p2p.nat.gateway=http://1.1.1.1/x'], '--p2p.nat.gateway without --p2p.nat'],
    [[...needed, '--sequencer.enabeld'], 'Did you mean --sequencer.enabled?'],
    [[...needed, '--l1.becon=http://x'], 'Did you mean --l1.beacon?'],
    [[...needed, '--whatever=1'], "unknown option '--whatever'"],
    [[...needed, '--syncmode=execution'], 'expected one of consensus-layer, execution-layer'],
    [[...needed, '--rpc.port=70000'], '--rpc.port: expected a port from 0 to 65535'],
    [[...needed, '--l1.cache-size=-1'], '--l1.cache-size: expected a whole number, zero or more'],
    [[...needed, '--p2p.ban.duration=1 hour'], '--p2p.ban.duration: expected a duration like 6m24s'],
    [[...needed, '--rpc.enable-admin=yes'], '--rpc.enable-admin: expected true or false'],
    [[...needed, '--network=op-mainnet'], 'this build knows no predefined networks; give --rollup.config'],
    [[...needed, '--signer.endpoint=https://x'], '--signer.address is missing'],
    [[...needed, '--signer.address=0x12', '--signer.endpoint=https://x'], '--signer.address: expected 0x and 40'],
    [[...needed, '--signer.header=x'], '--signer.header: expected key=value'],
    [
      [...needed, `--p2p.sequencer.key=${'1'.repeat(64)}`, '--signer.endpoint=https://x'],
      '--signer.endpoint and --p2p.sequencer.key: blocks are signed with one key',
    ],
    [
      [...needed, `--p2p.sequencer.key=${'1'.repeat(64)}`, '--p2p.sequencer.key.path=x'],
      '--p2p.sequencer.key and --p2p.sequencer.key.path: blocks are signed with one key',
    ],
    [[...needed, '--sequencer.enabled', '--l2.follow.source=http://x'], 'only a verifier follows'],
    [[...needed, '--conductor.enabled'], 'a conductor leads sequencers'],
    [[...needed, '--conductor.enabled', '--sequencer.enabled', '--rpc.admin-state=x'], 'keep no state'],
    [[...needed, '--rollup.halt=huge'], 'expected one of none, major, minor, patch'],
    [[...needed, '--l1=ftp://x'], '--l1: expected a URL'],
  ])('refuse %o', (argv, words) => {
    expect(() => readOptions(argv, {})).toThrow(words);
  });

  it('report all problems at once', () => {
    expect(() => readOptions(['--network=x', '--altda.enabled'], {})).toThrow(
      /knows no predefined networks[\s\S]*rollup\.config[\s\S]*--l2[\s\S]*altda\.da-server/,
    );
  });
});
