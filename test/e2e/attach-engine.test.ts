import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attach } from '../../src/library/index.ts';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { httpClient } from '../../src/rpc/client/http-client.ts';
import { VERSION } from '../../src/system/program/common-options.ts';
import { FakeCluster, objectsIn } from '../orchestrator/attach/fake-cluster.ts';
import { Home, type Status } from './devnet.ts';
import { readHowTo, writeFilesOf } from './support/how-to.ts';

const UNTIL = { timeout: 60_000, interval: 200 };

/** The machine on which the network runs: its processes are the pods of a cluster. */
const elsewhere = new Home();
const home = new Home();
let cluster: FakeCluster;

beforeAll(async () => {
  // Times that are not those of a spec without keys.
  const times = ['--set', 'l1.blockTime=1', '--set', 'chains.main.blockTime=1'];
  const { code, stderr } = await elsewhere.devnet('up', '--name', 'far', '--set', 'ports=auto', ...times, '-d');
  expect(code, stderr).toBe(0);
  const { ports = {} } = JSON.parse((await elsewhere.devnet('plan', 'far', '--json')).stdout) as Plan;
  cluster = await FakeCluster.start();
  const exported = await elsewhere.devnet('export', 'k8s', 'default', '--out', 'net', ...times);
  expect(exported.code, exported.stderr).toBe(0);
  cluster.objects = objectsIn(join(elsewhere.folder, 'net'));
  const placeOf = (pod: string, number: number) => {
    const unit = pod.slice(0, -2);
    const set = cluster.objects.sets.find(({ metadata }) => (metadata as { name: string }).name === unit);
    const text = JSON.stringify(set);
    const name = new RegExp(`"name":"(\\w+)","containerPort":${number}\\b`).exec(text)?.[1];
    const task = unit === 'l1' ? 'l1-beacon' : unit.replace(/^main-/, 'main/').replace(/-(el|cl)$/, '/$1');
    return ports[`${task}:${name}`];
  };
  cluster.portOf = placeOf;
  cluster.logOf = (pod) => [`2026-11-27T15:30:00.5Z first of ${pod}`, `2026-11-27T15:30:00.51Z second of ${pod}`];
  const kubeconfig = join(home.folder, 'kubeconfig');
  writeFileSync(kubeconfig, cluster.kubeconfig());
  home.env['KUBECONFIG'] = kubeconfig;
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

describe('a network that an engine runs', () => {
  it('is watched and used by the ports and logs of its pods', async () => {
    const up = await home.devnet('attach', '--kube', 'net', '-d');
    expect([up.code, up.stderr]).toEqual([0, expect.stringContaining('ready')]);
    await home.agrees();
    expect((await home.devnet('load', '--count', '5')).stdout).toMatch(/5 .*included/);
    expect((await home.devnet('wait', 'safe:3')).code).toBe(0);
    expect((await home.devnet('forks')).code).toBe(0);
    expect((await home.devnet('metrics')).stdout).toContain('devnet_');
    await vi.waitUntil(async () => (await home.devnet('logs', 'verifier.cl')).stdout.includes('second of'), UNTIL);
    expect((await home.devnet('logs', 'verifier.cl')).stdout).toBe(
      'first of main-verifier-cl-0\nsecond of main-verifier-cl-0\n',
    );
    const all = (await home.devnet('logs', '--grep', 'of l1-0')).stdout;
    expect(all.split('\n').filter((line) => line.includes('first of l1-0'))).toHaveLength(1);
    for (const [words, message] of [
      [['node', 'stop', 'verifier'], /is not started by devnet: stop it where it runs/],
      [['warp', '10s'], /read the machine's clock/],
      [['spec', '--name', 'default'], /default is attached: it runs elsewhere, and there is no spec here/],
      [['attach', '--kube', 'net'], /a devnet of the name default exists, and was not changed/],
      [['attach', '--kube', 'net', '--context', 'default'], /expected FILE, --kube or --context, found --kube and/],
      [['attach'], /expected FILE, --kube or --context, found none/],
      [['attach', 'none.yaml', '--kube', 'net'], /there is no file none.yaml/],
    ] as const) {
      const { code, stderr } = await home.devnet(...words);
      expect([words, code !== 0, stderr]).toEqual([words, true, expect.stringMatching(message)]);
    }
  });

  it('is reached again after its tunnel was killed, and after a stop', async () => {
    const tunnel = () => {
      const { tasks } = JSON.parse(readFileSync(join(home.env['DEVNET_HOME'] ?? '', 'default', 'state.json'), 'utf8'));
      return tasks.tunnel as { process?: { pid: number }; phase: string };
    };
    const pid = tunnel().process?.pid;
    process.kill(pid ?? 0, 'SIGKILL');
    await vi.waitUntil(() => tunnel().process?.pid !== pid && tunnel().phase === 'ready', UNTIL);
    await home.agrees();
    expect((await home.devnet('stop')).code).toBe(0);
    expect((await home.devnet('start')).code).toBe(0);
    await home.agrees();
  });

  it('says which pod does not answer, and leaves nothing', async () => {
    expect((await home.devnet('down')).code).toBe(0);
    const { portOf } = cluster;
    cluster.portOf = (pod, port) => (pod === 'main-verifier-el-0' ? undefined : portOf(pod, port));
    const { code, stderr } = await home.devnet('attach', '--kube', 'net', '-d');
    cluster.portOf = portOf;
    expect([code, stderr]).toEqual([3, expect.stringMatching(/main\/verifier\/el does not answer/)]);
    expect((await home.devnet('ls')).stdout).not.toContain('default');
  });

  it('is joined by a node of this machine, which agrees and receives blocks by gossip', async () => {
    writeFilesOf(home, readHowTo('kubernetes.md'));
    const up = await home.devnet('attach', 'mine.yaml', '--kube', 'net', '-d', '--name', 'joint');
    expect([up.code, up.stderr]).toEqual([0, expect.stringContaining('ready')]);
    const { chains } = JSON.parse((await home.devnet('status', 'joint', '--json')).stdout) as Status;
    const nodes = chains[0]?.nodes ?? [];
    expect(nodes.map(({ name }) => name)).toEqual(['sequencer', 'verifier', 'mine']);
    // It starts when its genesis file is written, however long that takes.
    const { tasks, files } = JSON.parse((await home.devnet('plan', 'joint', '--json')).stdout) as Plan;
    const genesis = files.find(({ path }) => path.endsWith('genesis.json'))?.path;
    expect(genesis).toBeDefined();
    expect(tasks.find(({ id }) => id === 'main/mine/el')?.reads).toContain(genesis);
    const client = httpClient({ url: nodes[2]?.cl.rpc ?? '' });
    const connected = async () => (await client.call<{ connected: number }>('opp2p_peerStats', [])).connected;
    await vi.waitUntil(async () => (await connected()) === 2, UNTIL);
    client.close();
    expect((await home.devnet('wait', 'safe:5', '--name', 'joint')).code).toBe(0);
    await home.agrees('joint');
    expect((await home.devnet('down', 'joint')).code).toBe(0);
  });

  it('is left as it is when it is detached, and the library attaches it again', async () => {
    const options = { name: 'handle', home: home.env['DEVNET_HOME'] ?? '' };
    vi.stubEnv('KUBECONFIG', home.env['KUBECONFIG']);
    // The library runs as source here.
    const { version } = JSON.parse(cluster.objects.data['network.json'] ?? '{}');
    cluster.objects = JSON.parse(JSON.stringify(cluster.objects).replaceAll(version, VERSION));
    await using net = await attach({ kube: 'net' }, options);
    expect((await net.status()).phase).toBe('ready');
    await net.down();
    await elsewhere.agrees('far');
    expect((await home.devnet('ls')).stdout).not.toContain('default');
  });
});
