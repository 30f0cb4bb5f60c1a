import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import manifest from '../../../../package.json' with { type: 'json' };
import { FORKS } from '../../../../src/protocol/forks/index.ts';
import { rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import { chainInputs, contracts, upTo } from '../../../protocol/genesis/inputs.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { freePort } from '../../../system/free-port.ts';
import { eventually } from '../support/devnet.ts';
import { RollupNodes, type RunningNode } from '../support/process.ts';

const OVERRIDDEN = FORKS.flatMap(({ name, override, rollupKey }) =>
  override !== null && rollupKey !== null ? [{ name, override, rollupKey }] : [],
);
const id = (digit: number) => ({ hash: `0x${String(digit).repeat(64)}` as const, number: 0 });

describe('options of what a node serves and logs: two nodes that differ in one', () => {
  let nodes: RollupNodes;
  let plain: RunningNode;
  let moved: RunningNode;
  let ports: Record<'rpc' | 'metrics' | 'pprof', number>;
  let url: string;
  const HOST = '127.0.0.2';
  beforeAll(async () => {
    nodes = new RollupNodes();
    ports = { rpc: await freePort(HOST), metrics: await freePort(HOST), pprof: await freePort(HOST) };
    // The first rollup, before any fork after regolith, with every override.
    const config = rollupConfig(chainInputs({ schedule: upTo('regolith') }), { l1: id(3), l2: id(4) }, contracts);
    writeFileSync(join(nodes.folder, 'first.json'), JSON.stringify(config));
    moved = nodes.spawn('moved', [
      '--p2p.disable',
      `--rollup.config=${join(nodes.folder, 'first.json')}`,
      ...OVERRIDDEN.map(({ override }) => `--${override}=0`),
      '--override.keep-karst-upgrade-gas',
      `--rpc.addr=${HOST}`,
      `--rpc.port=${ports.rpc}`,
      '--rpc.enable-admin=false',
      '--metrics.enabled',
      `--metrics.addr=${HOST}`,
      `--metrics.port=${ports.metrics}`,
      '--pprof.enabled',
      `--pprof.addr=${HOST}`,
      `--pprof.port=${ports.pprof}`,
    ]);
    plain = await nodes.start('plain', [
      '--p2p.disable',
      `--rollup.config=${join(nodes.folder, 'first.json')}`,
      '--metrics.addr=127.0.0.1',
      '--pprof.addr=127.0.0.1',
    ]);
    url = `http://127.0.0.1:${plain.logged('rollup node')[0]!['rpc']}`;
    await eventually(async () => moved.logged('rollup node')[0]);
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  const rpc = () => patientClient({ url: `http://${HOST}:${ports.rpc}` });
  const post = (body: string) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  it('--rpc.addr, --rpc.port: the RPC listens there', async () => {
    for (const method of ['consensus_version', 'optimism_version'])
      expect(await rpc().call(method, [])).toBe(manifest.version);
    await expect(fetch(`http://127.0.0.1:${ports.rpc}`)).rejects.toThrow();
    expect(new URL(url).port).not.toBe(String(ports.rpc));
  });

  it('--rpc.enable-admin: the admin methods are served only with it', async () => {
    for (const method of [
      'admin_resetDerivationPipeline',
      'admin_startSequencer',
      'admin_stopSequencer',
      'admin_sequencerActive',
      'admin_setLogLevel',
    ])
      await expect(rpc().call(method, []), method).rejects.toMatchObject({ code: -32601 });
    expect(await plain.call('admin_sequencerActive')).toBe(false);
    expect(await plain.call('admin_setLogLevel', 'info')).toBeNull();
  });

  it('--metrics.enabled, --metrics.addr, --metrics.port: metrics are served there', async () => {
    expect(await (await fetch(`http://${HOST}:${ports.metrics}/metrics`)).text()).toContain('op_node_default_up 1');
    await expect(fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).rejects.toThrow();
    expect(plain.logged('metrics listen')).toEqual([]);
  });

  it('--pprof.enabled, --pprof.addr, --pprof.port: profiles are served there', async () => {
    expect(await (await fetch(`http://${HOST}:${ports.pprof}/debug/pprof/`)).text()).toContain('heap');
    await expect(fetch(`http://127.0.0.1:${ports.pprof}/debug/pprof/`)).rejects.toThrow();
    expect(plain.logged('pprof listens')).toEqual([]);
  });

  it.each(['rpc', 'metrics', 'pprof'] as const)(
    'end with the port in the message when the port of %s is in use',
    async (what) => {
      const node = nodes.spawn('late', [
        '--p2p.disable',
        ...(what === 'rpc' ? [] : [`--${what}.enabled`]),
        `--${what}.addr=${HOST}`,
        `--${what}.port=${ports[what]}`,
      ]);
      expect(await node.exit).toBe(4);
      const text = node.lines.join('\n');
      expect(text).toMatch(new RegExp(`cannot listen on .*${ports[what]}`));
      expect(text).toContain(`--${what}.port`);
    },
  );

  it('--rollup.config: the chain is that of the file', async () => {
    const other = await nodes.start('other', ['--p2p.disable']);
    expect((await other.call('optimism_rollupConfig')).genesis).toEqual(nodes.config.genesis);
    expect((await plain.call('optimism_rollupConfig')).genesis.l2).toEqual(id(4));
    await other[Symbol.asyncDispose]();
  });

  it.each(OVERRIDDEN.map((fork) => [`--${fork.override}`, fork] as const))(
    '%s: the fork activates at that time',
    async (_, { rollupKey }) => {
      expect((await rpc().call<Record<string, unknown>>('consensus_rollupConfig', []))[rollupKey]).toBe(0);
      expect((await plain.call('consensus_rollupConfig'))[rollupKey]).toBeNull();
    },
  );

  it('--override.keep-karst-upgrade-gas: the rollup keeps that gas in its gas limit', async () => {
    const config = { keep_karst_upgrade_gas: true };
    expect(await rpc().call('optimism_rollupConfig', [])).toMatchObject(config);
    expect(await plain.call('optimism_rollupConfig')).not.toHaveProperty('keep_karst_upgrade_gas');
  });

  it('--log.color, --log.format, --log.pid, --log.level: lines have that format, and that level or above', async () => {
    const format = '--log.format=terminal';
    const [logfmt, text, colored, bare, json, numbered, loud, quiet] = [
      nodes.spawn('logfmt', ['--p2p.disable', '--log.format=logfmt']),
      nodes.spawn('text', ['--p2p.disable', '--log.format=text']),
      nodes.spawn('colored', ['--p2p.disable', format, '--log.color']),
      nodes.spawn('bare', ['--p2p.disable', format]),
      nodes.spawn('pretty', ['--p2p.disable', '--log.format=json-pretty']),
      nodes.spawn('numbered', ['--p2p.disable', '--log.pid']),
      nodes.spawn('loud', ['--p2p.disable', '--log.level=debug']),
      nodes.spawn('quiet', ['--p2p.disable', '--log.level=silent']),
    ];
    const line = (node: RunningNode, pattern: RegExp) =>
      eventually(async () => node.lines.find((text) => pattern.test(text)));
    for (const node of [logfmt, text]) await line(node, /^t=\S+ lvl=info msg="rollup node" /);
    expect(await line(colored, /rollup node/)).toContain('\u001b[32mINFO');
    expect(await line(bare, /rollup node/)).toMatch(/^INFO {2}\[[\d:.]+\] rollup node /);
    expect(await line(json, /"msg"/)).toMatch(/^ {2}"msg": "rollup node"/);
    await line(numbered, new RegExp(`"pid":${numbered.child.pid}`));
    await line(loud, /"lvl":"debug"/);
    expect(plain.lines.filter((text) => /"lvl":"debug"|"pid"/.test(text))).toEqual([]);
    expect(quiet.lines).toEqual([]);
    await Promise.all(
      [logfmt, text, colored, bare, json, numbered, loud, quiet].map((node) => node[Symbol.asyncDispose]()),
    );
  });

  it('refuses bodies of more than 5 MB and batches of more than 1000 requests, and says so', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: ['y'.repeat(6_000_000)] });
    // A client that is still sending may see the connection close before the answer.
    const large = await eventually(() => post(body));
    expect([large.status, await large.text()]).toEqual([413, 'request body over 5242880 bytes\n']);
    const one = { jsonrpc: '2.0', id: 1, method: 'optimism_version' };
    const answer = await (await post(JSON.stringify(Array(1001).fill(one)))).json();
    expect(JSON.stringify(answer)).toContain('"code":-32600');
    expect(await (await post(JSON.stringify(Array(1000).fill(one)))).json()).toHaveLength(1000);
  });

  it('refuses requests of an address beyond 2000 a second, over both transports, and serves it again', async () => {
    // An invalid request counts as one and costs little: the machine may be slow.
    const batch = JSON.stringify(Array(1000).fill(0));
    const refused = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'too many requests: at most 2000 a second from one address' },
    };
    const socket = new WebSocket(url.replace('http', 'ws'));
    await new Promise((resolve) => socket.once('open', resolve));
    const received: unknown[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    const flooded = await eventually(async () => {
      for (let message = 0; message < 12; message++) socket.send(batch);
      const answer: unknown = await (await post(batch)).json();
      return Array.isArray(answer) ? undefined : answer;
    });
    expect(flooded).toEqual(refused);
    expect(received).toContainEqual(refused);
    socket.close();
    await eventually(() => plain.call('optimism_version'));
  });
});
