import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findNetwork } from '../../../../src/orchestrator/attach/attach.ts';
import { kubernetesAddress } from '../../../../src/orchestrator/attach/kubernetes/address.ts';
import { kubernetesEngine } from '../../../../src/orchestrator/attach/kubernetes/kubernetes.ts';
import { VERSION } from '../../../../src/system/program/common-options.ts';
import { testIo } from '../../export/exported.ts';
import { FakeCluster, objectsOf } from '../fake-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'kube-'));
const kubeconfig = join(folder, 'config');
let cluster: FakeCluster;
beforeAll(async () => {
  cluster = await FakeCluster.start();
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  writeFileSync(kubeconfig, cluster.kubeconfig());
  cluster.refusal = undefined;
});

/** A command's input with the kubeconfig of a path. */
const ioWith = (KUBECONFIG: string) => ({ ...testIo(), env: { ...testIo().env, KUBECONFIG } });
const find = (namespace = 'net') => findNetwork(ioWith(kubeconfig), { kube: namespace }, undefined);
const engine = async () => kubernetesEngine(await kubernetesAddress(ioWith(kubeconfig), 'net'));

describe('a namespace', () => {
  it('has the network whose objects are there, with the spec of its ConfigMap', async () => {
    cluster.objects = await objectsOf('chains: { a: { chainId: 901 }, b: { chainId: 902 } }');
    const found = await (await engine()).find();
    expect(found).toMatchObject({ devnet: 'net', version: VERSION, published: [] });
    expect(Object.keys(found.files)).toEqual(['network.json', 'spec.yaml']);
    expect(found.files['spec.yaml']).toContain('902');
    expect((await find()).name).toBe('net');
  });

  it('without one is named, with the command that shows where one is', async () => {
    cluster.objects = await objectsOf('{}');
    await expect(find('other')).rejects.toMatchObject({
      message: 'the namespace other of the context lab has no devnet',
      exit: 2,
      data: { reason: 'no-devnet' },
      hint: expect.stringContaining('kubectl get statefulsets -A -l app.kubernetes.io/name=rollup-devnet'),
    });
  });

  it('with several networks names them', async () => {
    const { sets, data } = await objectsOf('{}');
    const other = JSON.parse(
      JSON.stringify(sets).replaceAll('"app.kubernetes.io/instance":"net"', '"app.kubernetes.io/instance":"two"'),
    );
    cluster.objects = { sets: [...sets, ...other], data };
    await expect(find()).rejects.toMatchObject({
      message: expect.stringContaining('has 2 devnets: net, two'),
      data: { reason: 'several', devnets: ['net', 'two'] },
    });
  });

  it('with a network of another version names both versions', async () => {
    cluster.objects = await objectsOf('{}', '0.0.7');
    await expect(find()).rejects.toMatchObject({
      message: `the namespace net of the context lab runs net of version 0.0.7, and this is version ${VERSION}`,
      data: { reason: 'version', version: '0.0.7', expected: VERSION },
    });
  });

  it('with a ConfigMap without a spec is refused', async () => {
    cluster.objects = { ...(await objectsOf('{}')), data: {} };
    await expect(find()).rejects.toMatchObject({ data: { reason: 'no-spec' } });
  });
});

describe('a cluster', () => {
  it('that refuses a question is heard with its own words', async () => {
    const message = 'statefulsets.apps is forbidden: User "me" cannot list resource "statefulsets"';
    cluster.refusal = { code: 403, body: JSON.stringify({ kind: 'Status', message }) };
    await expect(find()).rejects.toMatchObject({
      message: expect.stringMatching(/refuses the question: statefulsets\.apps is forbidden: User/),
      exit: 1,
      data: { reason: 'refused', code: 403 },
    });
  });

  it('that does not answer is named with its context and its address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    writeFileSync(kubeconfig, cluster.kubeconfig(url));
    await expect(find()).rejects.toMatchObject({
      message: `the cluster of the context lab at ${url} does not answer`,
      exit: 3,
      data: { reason: 'no-answer', context: 'lab', server: url },
    });
  });
});

describe('a kubeconfig', () => {
  it('that does not exist is named', async () => {
    await expect(kubernetesAddress(ioWith(join(folder, 'none')), 'net')).rejects.toMatchObject({
      message: `there is no kubeconfig: ${join(folder, 'none')} does not exist`,
      exit: 4,
    });
  });

  it('without a current context is refused', async () => {
    writeFileSync(kubeconfig, cluster.kubeconfig().replace('"current-context":"lab"', '"current-context":""'));
    await expect(find()).rejects.toMatchObject({ message: `${kubeconfig}: no current context`, exit: 4 });
  });

  it('that is no YAML is named', async () => {
    writeFileSync(kubeconfig, 'clusters: [');
    await expect(find()).rejects.toMatchObject({
      message: expect.stringContaining(`${kubeconfig} cannot be read as a kubeconfig`),
    });
  });

  it('before another one has the context that counts, and its file may be relative to the folder', async () => {
    const second = join(folder, 'second');
    writeFileSync(second, cluster.kubeconfig('http://127.0.0.1:1').replaceAll('lab', 'away').replaceAll('fake', 'far'));
    const io = { ...ioWith(['config', second].join(delimiter)), cwd: folder };
    expect(await kubernetesAddress(io, 'net')).toEqual({
      kind: 'kubernetes',
      files: [kubeconfig, second],
      context: 'lab',
      namespace: 'net',
    });
  });
});
