import { describe, expect, it } from 'vitest';
import { unbuilt } from '../../../src/nodes/rollup/options/unbuilt.ts';
import { readOptions } from '../../../src/nodes/rollup/options.ts';
import { FORKS } from '../../../src/protocol/forks/index.ts';

const needed = ['--rollup.config=rollup.json', '--l2=http://127.0.0.1:8551'];
const read = (argv: string[], env: Record<string, string> = {}) => readOptions([...needed, ...argv], env);

/** A value other than the default of an option. */
const OTHER: Record<string, string> = {
  string: 'something',
  'true|false': 'toggle',
  number: '99',
  duration: '99s',
  'a,b,…': 'one,two',
  'consensus-layer|execution-layer': 'execution-layer',
};

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

  it('move every fork that can be moved, also to genesis', () => {
    for (const { name, override } of FORKS)
      if (override !== null) expect(read([`--${override}=0`]).forkOverrides).toEqual({ [name]: 0 });
  });

  it.each(Object.values(unbuilt).map((spec) => [spec.name, spec] as const))(
    'refuse --%s at another value than its default, with the reason, and take the default',
    (name, spec) => {
      const fallback = spec.default;
      const other = OTHER[spec.type.label] === 'toggle' ? String(!fallback) : OTHER[spec.type.label];
      expect(() => read([`--${name}=${other}`])).toThrow(`--${name}: ${spec.reason}`);
      const given = Array.isArray(fallback) ? fallback.join(',') : (spec.defaultText ?? fallback);
      if (given !== undefined) expect(() => read([`--${name}=${given}`])).not.toThrow();
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
    [[...needed, '--p2p.peers.lo=9', '--p2p.peers.hi=3'], 'the low tide lies above the high one'],
    [[...needed, '--p2p.bootnodes=enode'], '--p2p.bootnodes: expected node records'],
    [[...needed, '--interop.rpc.addr=127.0.0.1'], '--interop.jwt-secret is missing'],
    [[...needed, '--interop.jwt-secret=x'], '--interop.jwt-secret without --interop.rpc.addr'],
    [[...needed, '--signer.endpoint=https://x'], '--signer.address is missing'],
    [[...needed, '--signer.address=0x12', '--signer.endpoint=https://x'], '--signer.address: expected 0x and 40'],
    [[...needed, '--signer.header=x'], '--signer.header: expected key=value'],
    [
      [...needed, `--p2p.sequencer.key=${'1'.repeat(64)}`, '--signer.endpoint=https://x'],
      'blocks are signed there or here',
    ],
    [[...needed, '--conductor.enabled'], 'a conductor leads sequencers'],
    [[...needed, '--conductor.enabled', '--sequencer.enabled', '--rpc.admin-state=x'], 'keep no state'],
    [[...needed, '--rollup.halt=huge'], 'expected one of none, major, minor, patch'],
    [[...needed, '--l1=ftp://x'], '--l1: expected a URL'],
  ])('refuse %o', (argv, words) => {
    expect(() => readOptions(argv, {})).toThrow(words);
  });

  it('tell all problems at once', () => {
    expect(() => readOptions(['--p2p.nat', '--altda.enabled'], {})).toThrow(
      /NATs[\s\S]*rollup\.config[\s\S]*--l2[\s\S]*altda\.da-server/,
    );
  });
});
