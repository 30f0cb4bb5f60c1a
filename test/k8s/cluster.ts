import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Words of the program that reaches the cluster of `KUBECONFIG`. */
const KUBECTL = (process.env['KUBECTL'] ?? 'kubectl').split(' ');

/** Words of a command that imports an image into the nodes. The path of an archive is added as the last word. */
const IMPORT = process.env['IMPORT']?.split(' ') ?? [];

/** Storage class of the volumes; undefined: the cluster's default. */
export const STORAGE = process.env['STORAGE'] || undefined;

/** Words of commands that end a node as a power cut does, and start it again. The node's name is added. */
const KILL_NODE = process.env['KILL_NODE']?.split(' ').filter(Boolean) ?? [];
const START_NODE = process.env['START_NODE']?.split(' ').filter(Boolean) ?? [];

/** Why no node can be ended; undefined: one can. */
export const NO_KILL =
  KILL_NODE.length > 0 && START_NODE.length > 0 ? undefined : 'KILL_NODE and START_NODE name no commands';

/** Ends a node with all that runs on it, until the task is done. @throws Error with the words of a command */
export async function withoutNode(node: string, task: () => Promise<unknown>): Promise<void> {
  run([...KILL_NODE, node]);
  try {
    await task();
  } finally {
    run([...START_NODE, node]);
  }
}

/** Whether the cluster has lost a node. */
export function isLost(node: string): boolean {
  const path = '{.status.conditions[?(@.type=="Ready")].status}';
  return kubectl('get', 'node', node, '--output', `jsonpath=${path}`) !== 'True';
}

/** Runs a program to its end. @throws Error with its words */
function run(argv: readonly string[]): string {
  const [program = '', ...args] = argv;
  const env = { ...process.env, KUBECTL: KUBECTL.join(' ') };
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

/** Runs kubectl. @throws Error with its words */
export function kubectl(...args: readonly string[]): string {
  return run([...KUBECTL, ...args]);
}

/** Runs the script of an export that starts or changes its network. @throws Error with its words */
export function rollOut(folder: string): string {
  return run(['sh', join(folder, 'roll-out.sh')]);
}

/** Imports an image into the nodes of the cluster. @throws Error with the words of the command */
export function importImage(archive: string): void {
  if (IMPORT.length === 0)
    throw new Error("IMPORT is not set: the command that imports an image into the cluster's nodes");
  run([...IMPORT, archive]);
}

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly nodeName: string };
  readonly status: { readonly containerStatuses?: readonly { readonly ready: boolean }[] };
}

/** A namespace of an exported network. */
export class Namespace {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  pods(): readonly Pod[] {
    return (JSON.parse(kubectl('--namespace', this.name, 'get', 'pods', '--output', 'json')) as { items: Pod[] }).items;
  }

  /** Whether this many pods are there, and all are ready. */
  isReady(count: number): boolean {
    const pods = this.pods();
    return pods.length === count && pods.every(({ status }) => status.containerStatuses?.[0]?.ready === true);
  }

  /** Uid of each pod by its name: another one after the pod was replaced. */
  uids(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.pods().map(({ metadata }) => [metadata.name, metadata.uid]));
  }

  /** Generation of each object that has one: it rises with each change of what is wanted. */
  generations(): string {
    const kinds = 'statefulsets,poddisruptionbudgets,networkpolicies,services,configmaps,secrets';
    const path = '{range .items[*]}{.kind}/{.metadata.name} {.metadata.generation}{"\\n"}{end}';
    return kubectl('--namespace', this.name, 'get', kinds, '--output', `jsonpath=${path}`);
  }

  /** Calls a method at `HOST:PORT` from within a pod. Undefined without an answer. */
  call<T>(pod: string, address: string, method: string, ...params: readonly unknown[]): T | undefined {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const script = `
      const headers = { 'content-type': 'application/json' };
      fetch('http://${address}', { method: 'POST', headers, body: process.argv[1] })
        .then((answer) => answer.text())
        .then(console.log)`;
    try {
      const text = kubectl('--namespace', this.name, 'exec', pod, '--', 'node', '--eval', script, body);
      return (JSON.parse(text) as { result?: T }).result;
    } catch {
      return undefined;
    }
  }
}
