import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jwtVerifier } from '../../../../src/rpc/jwt.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';
import { RecordingProxy } from './recording-proxy.ts';

/** Nodes of one L1, each with its own recording proxy and further options. */
const NODES = {
  plain: [],
  eager: ['--l1.http-poll-interval=30ms', '--l1.epoch-poll-interval=20ms'],
  one: ['--l1.http-poll-interval=30ms', '--l1.epoch-poll-interval=20ms', '--l1.max-concurrency=1'],
  single: ['--l1.rpc-max-batch-size=1'],
  polling: ['--l1.http-poll-interval=50ms'],
  limited: ['--l1.http-poll-interval=20ms', '--l1.rpc-rate-limit=10'],
  unlimited: ['--l1.http-poll-interval=20ms'],
  epochs: ['--l1.epoch-poll-interval=50ms'],
  epochless: ['--l1.epoch-poll-interval=0'],
  reloading: ['--l1.runtime-config-reload-interval=100ms'],
  trusting: ['--l1.trustrpc'],
  verifying: [],
} as const;
type Name = keyof typeof NODES;

const SIGNER_SLOT = '0x65a7ed542fb37fe237fdfbdd70b31598523fe5b32879e307bae27a0bd9581c08';
const until = (condition: () => boolean): Promise<true> => eventually(async () => condition() || undefined);

describe('options of the connections to L1 and the engine: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let started: number;
  const proxies = {} as Record<Name, RecordingProxy>;
  const nodes = {} as Record<Name, RunningNode>;
  beforeAll(async () => {
    network = await OptionNetwork.start({ mine: false });
    await network.devnet.l1.call('anvil_mine', ['0x3']);
    started = performance.now();
    const open = async () => network.devnet.with(await RecordingProxy.to(network.devnet.l1Url));
    // A node polls an engine that refuses connections all the time.
    const engine = (await open()).hold();
    const start = async (name: Name) => {
      proxies[name] = await open();
      if (name === 'trusting' || name === 'verifying')
        proxies[name].answer = async (_, __, pass) => {
          const answer = await pass();
          return typeof answer === 'object' ? { ...answer, extraData: '0x1234' } : answer;
        };
      // Latency makes requests overlap if no limit separates them.
      if (name === 'eager' || name === 'one') proxies[name].latency = 100;
      nodes[name] = await network.nodes.start(name, [
        ...network.l1().filter((word) => !word.includes('epoch')),
        `--l1=${proxies[name].url}`,
        `--l2=${engine.url}`,
        '--p2p.disable',
        ...NODES[name],
      ]);
    };
    await Promise.all(Object.keys(NODES).map((name) => start(name as Name)));
    await nodes.plain.reached('head_l1', 3);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--l1: that endpoint gets the requests, over HTTP and over WebSocket', async () => {
    for (const proxy of Object.values(proxies)) await until(() => proxy.count('eth_getBlockByNumber', 'latest') > 0);
    const socket = await network.nodes.start('socket', [...network.l1(), '--p2p.disable']);
    expect((await socket.reached('head_l1', 3)).number).toBe(3);
  });

  it('--l1.max-concurrency: at most that many messages are in flight', async () => {
    await until(() => proxies.eager.mostUnderWay > 1 && proxies.one.requests.length >= 20);
    expect(proxies.one.mostUnderWay).toBe(1);
  });

  it('--l1.rpc-max-batch-size: at most that many requests are in one message', async () => {
    await until(() => proxies.plain.count('eth_getBlockByNumber', 'finalized') > 0);
    await until(() => proxies.single.count('eth_getBlockByNumber', 'finalized') > 0);
    expect(proxies.plain.largest).toBeGreaterThan(1);
    expect(proxies.single.largest).toBe(1);
  });

  it('--l1.http-poll-interval: the head is requested at that interval', async () => {
    await until(() => proxies.polling.count('eth_getBlockByNumber', 'latest') >= 10);
    expect(proxies.plain.count('eth_getBlockByNumber', 'latest')).toBeLessThan(5);
  });

  it('--l1.rpc-rate-limit: that many requests a second, after as many at once', async () => {
    await until(() => [proxies.limited, proxies.unlimited].every(({ requests }) => requests.length >= 50));
    expect((proxies.limited.requests[49]!.at - started) / 1000).toBeGreaterThanOrEqual((50 - 10) / 10);
  });

  it('--l1.epoch-poll-interval: safe and finalized blocks are requested at that interval; 0: never', async () => {
    await until(() => proxies.epochs.count('eth_getBlockByNumber', 'finalized') >= 10);
    await until(() => proxies.epochs.count('eth_getBlockByNumber', 'safe') >= 10);
    for (const label of ['safe', 'finalized']) {
      expect(proxies.plain.count('eth_getBlockByNumber', label)).toBeLessThan(5);
      expect(proxies.epochless.count('eth_getBlockByNumber', label)).toBe(0);
    }
  });

  it('--l1.runtime-config-reload-interval: the unsafe block signer is read at that interval', async () => {
    await until(() => proxies.reloading.count('eth_getStorageAt', SIGNER_SLOT) >= 10);
    // Once at start, and once with the first head.
    expect(proxies.plain.count('eth_getStorageAt', SIGNER_SLOT)).toBeLessThanOrEqual(3);
  });

  it('--l1.trustrpc: a header is accepted although it has another hash', async () => {
    expect((await nodes.trusting.reached('head_l1', 3)).number).toBe(3);
    await until(() => nodes.verifying.logged('L1 head: L1 does not answer, trying again').length > 0);
    expect((await nodes.verifying.status())['head_l1']!.number).toBe(0);
    await Promise.all(Object.values(nodes).map((node) => node[Symbol.asyncDispose]()));
  });

  it('--l2, --l2.jwt-secret: that engine gets the requests, with tokens of that secret', async () => {
    const engine = network.devnet.with(await RecordingProxy.to('http://127.0.0.1:1'));
    const [existing, fresh] = [network.file('own.hex'), network.file('made.hex')];
    writeFileSync(existing, '0x' + '5a'.repeat(32), { mode: 0o600 });
    const start = (name: string, file: string) =>
      network.nodes.start(name, [...network.l1(), '--p2p.disable', `--l2=${engine.url}`, `--l2.jwt-secret=${file}`]);
    await start('owner', existing);
    await until(() => engine.requests.length > 0);
    const token = engine.requests.at(-1)!.headers.authorization;
    expect(jwtVerifier(new Uint8Array(32).fill(0x5a))(token)).toBeUndefined();
    expect(jwtVerifier(new Uint8Array(32).fill(7))(token)).toBeDefined();
    await start('maker', fresh);
    expect(readFileSync(fresh, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(fresh).mode & 0o777).toBe(0o600);
    const secret = Uint8Array.from(Buffer.from(readFileSync(fresh, 'utf8'), 'hex'));
    await until(() => engine.requests.some(({ headers }) => jwtVerifier(secret)(headers.authorization) === undefined));
  });

  it('--l2.jwt-secret: a malformed file is refused', async () => {
    const path = network.file('bad.hex');
    writeFileSync(path, '5a');
    const { code, text } = await network.nodes.ending('refused', [...network.l1(), `--l2.jwt-secret=${path}`]);
    expect(code).not.toBe(0);
    expect(text).toContain('expected 32 bytes in hex');
  });

  it('--l2.engine-rpc-timeout: a request to an engine that does not answer is repeated after that time', async () => {
    const open = () => RecordingProxy.to('http://127.0.0.1:1');
    const [patient, hasty] = await Promise.all([open(), open()]);
    const start = (name: string, proxy: RecordingProxy, ...argv: string[]) =>
      network.nodes.start(name, [...network.l1(), '--p2p.disable', `--l2=${proxy.hold().url}`, ...argv]);
    await Promise.all([start('patient', patient), start('hasty', hasty, '--l2.engine-rpc-timeout=50ms')]);
    await until(() => patient.count('eth_chainId') > 0 && hasty.count('eth_chainId') >= 5);
    expect(patient.count('eth_chainId')).toBe(1);
    for (const proxy of [patient, hasty]) await proxy[Symbol.asyncDispose]();
  });
});
