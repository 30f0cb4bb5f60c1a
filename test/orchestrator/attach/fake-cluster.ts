import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { basename, join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { parse, parseAllDocuments } from 'yaml';
import { kubernetesFiles } from '../../../src/orchestrator/export/kubernetes/kubernetes.ts';
import { VERSION } from '../../../src/system/program/common-options.ts';
import { exportText } from '../export/exported.ts';

/** Objects of a namespace, as the API lists them. */
export interface Objects {
  readonly sets: readonly Record<string, unknown>[];
  readonly data: Readonly<Record<string, string>>;
}

/** Exports a spec, and returns what `kubectl apply -k` would make of it. `version`: that of its exporter. */
export async function objectsOf(spec: string, version = VERSION): Promise<Objects> {
  const { devnet, units, files } = await exportText(spec);
  const inFolder = files.filter(({ secret }) => secret === undefined);
  const keys = Object.fromEntries(inFolder.map(({ path }) => [basename(path), path.replace(/^devnet\//, '')]));
  const options = { devnet, namespace: 'net', image: 'i', version, storage: undefined, isExposed: false, files: keys };
  const texts = kubernetesFiles(units, options, { networkFolder: 'devnet', secretsFile: 'secrets/devnet.json' });
  const objects = texts.flatMap(({ text }) => parseAllDocuments(text).map((document) => document.toJSON()));
  return {
    sets: objects.filter(({ kind }) => kind === 'StatefulSet'),
    data: Object.fromEntries(inFolder.map(({ path, text }) => [basename(path), text])),
  };
}

/** Returns what `kubectl apply -k` would make of the folder of an export. */
export function objectsIn(folder: string): Objects {
  const text = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { resources, configMapGenerator } = parse(text('kustomization.yaml')) as {
    resources: readonly string[];
    configMapGenerator: readonly { files: readonly string[] }[];
  };
  const objects = resources.flatMap((path) => parseAllDocuments(text(path)).map((document) => document.toJSON()));
  const files = configMapGenerator.flatMap((each) => each.files.map((word) => word.split('=')));
  return {
    sets: objects.filter(({ kind }) => kind === 'StatefulSet'),
    data: Object.fromEntries(files.map(([key = '', path = '']) => [key, text(path)])),
  };
}

/** The API of a cluster as far as `attach` asks it. Its pods are processes of this machine. */
export class FakeCluster {
  objects: Objects = { sets: [], data: {} };
  /** The port of this machine at which a port of a pod answers; undefined: no process listens there. */
  portOf: (pod: string, port: number) => number | undefined = () => undefined;
  /** Lines of a pod's log, each behind its time. */
  logOf: (pod: string) => readonly string[] = () => [];
  /** Status and body of every answer in place of the objects. */
  refusal: { readonly code: number; readonly body: string } | undefined;
  /** Paths and queries of the questions. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeCluster> {
    const server = createServer();
    const cluster = new FakeCluster(server);
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' });
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://cluster');
      cluster.asked.push(url);
      const { refusal, objects } = cluster;
      const [, log] = /^\/api\/v1\/namespaces\/net\/pods\/([^/]+)\/log$/.exec(pathname) ?? [];
      const json = (value: unknown) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      if (refusal !== undefined) {
        response.statusCode = refusal.code;
        response.setHeader('content-type', 'application/json').end(refusal.body);
      } else if (pathname === '/apis/apps/v1/namespaces/net/statefulsets') {
        json({ apiVersion: 'apps/v1', kind: 'StatefulSetList', metadata: {}, items: objects.sets });
      } else if (pathname === '/api/v1/namespaces/net/configmaps/network') {
        json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'network' }, data: objects.data });
      } else if (log !== undefined) {
        const since = searchParams.get('sinceTime') ?? '';
        const lines = cluster.logOf(log).filter((line) => line >= since.slice(0, 19));
        response.end(lines.map((line) => `${line}\n`).join(''));
      } else json({ apiVersion: 'apps/v1', kind: 'StatefulSetList', metadata: {}, items: [] });
    });
    server.on('upgrade', (request, socket, head) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://cluster');
      const [, pod = ''] = /\/pods\/([^/]+)\/portforward$/.exec(pathname) ?? [];
      const port = Number(searchParams.get('ports'));
      sockets.handleUpgrade(request, socket, head, (stream) => cluster.#forward(stream, pod, port));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return cluster;
  }

  /** Passes a stream on. Its first byte is the channel: 0 for data, 1 for errors. Each begins with the port. */
  #forward(stream: WebSocket, pod: string, port: number): void {
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    const send = (channel: number, bytes: Buffer) => stream.send(Buffer.concat([Buffer.from([channel]), bytes]));
    send(0, number);
    send(1, number);
    const target = connect(this.portOf(pod, port) ?? 1, '127.0.0.1');
    target.on('error', ({ message }) => send(1, Buffer.from(message)));
    target.on('data', (bytes) => send(0, bytes));
    target.on('close', () => stream.close());
    stream.on('message', (bytes: Buffer) => target.write(bytes.subarray(1)));
    stream.on('close', () => target.destroy());
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A kubeconfig whose current context is this cluster. */
  kubeconfig(server = this.url): string {
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'fake', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'me', user: { token: 'secret' } }],
      contexts: [{ name: 'lab', context: { cluster: 'fake', user: 'me' } }],
      'current-context': 'lab',
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
