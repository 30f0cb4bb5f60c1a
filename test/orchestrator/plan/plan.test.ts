import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Plan, planSchema } from '../../../src/orchestrator/plan/plan.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

const command = { argv: ['run'], cwd: '/s', env: { A: 'b' } };
const ADDRESS = `0x${'aB'.repeat(20)}` as const;

/** A plan that has every key. */
function wholePlan(): Plan {
  const inputs = {} as never;
  const plan = fixturePlan('/s', 'net', [{ port: 1 }], {
    batcher: {
      chain: 'main',
      node: 'a',
      prepare: [command],
      rewind: command,
      resume: { file: '/s/state', command, reads: ['/s/a'] },
      version: command,
      secrets: ['hush'],
      needs: [{ task: 'main/node-0/el', until: 'ready' }],
      late: true,
      reads: ['/s/a'],
      ports: [{ name: 'rpc', host: '127.0.0.1', port: 65_535, transport: 'udp' }],
      paceMs: 5,
      given: { a: 'b', c: null },
      postsFinalized: true,
      polls: { l1HeadMs: 1, l1FinalityMs: 2 },
      harmless: ['x'],
      firstBlock: { rpc: 'r', method: 'm', head: 'h' },
      live: [{ kind: 'tcp', host: 'h', port: 1, description: 'd' }],
      stop: { signal: 'SIGINT', graceMs: 5, againMs: 6 },
      container: { image: 'i', own: true, entry: false, limits: { cpus: 1, memory: 2 } },
    },
  });
  const [chain] = plan.network.chains;
  const file = { mode: 0o644, secret: false };
  return {
    ...plan,
    files: [
      { ...file, path: '/a', content: { kind: 'text', text: 'x' } },
      { ...file, path: '/b', content: { kind: 'l1-genesis', inputs } },
      { ...file, path: '/c', content: { kind: 'l2-genesis', inputs } },
      { ...file, path: '/d', content: { kind: 'upgrade-bundle', fork: 'jovian' } },
      { ...file, path: '/e', content: { kind: 'without', of: { kind: 'file', path: '/x' }, keys: ['k'] } },
      { ...file, path: '/f', content: { kind: 'without', of: { kind: 'text', text: '' }, keys: ['k'] } },
    ],
    network: {
      l1: { ...plan.network.l1, contracts: { A: ADDRESS } },
      chains: [
        {
          ...chain!,
          contracts: { l1: { A: ADDRESS }, l2: { B: '0x' } },
          accounts: [{ address: ADDRESS, privateKey: '0x00', role: 'owner' }],
          forks: { a: 0, b: null },
          bundles: { a: 'official', b: 'unofficial', c: 'given' },
          nodes: [{ ...chain!.nodes[0]!, overrides: { a: 5, b: null } }],
          batcher: { task: 'batcher', rpc: 'u' },
          proposer: { task: 'p', rpc: 'u' },
        },
      ],
    },
    dashboard: { url: 'u', port: 0, command, log: '/l' },
    ports: { 'l1:rpc': 5 },
    notices: ['n'],
  };
}

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The paths of all values below a value. */
const pathsIn = (value: unknown, path: Path = []): Path[] =>
  isTree(value)
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])])
    : [];
const valueAt = (tree: unknown, path: Path) => path.reduce<unknown>((value, key) => (value as Tree)[key], tree);

/** The plan with another value at a path. */
function planWith(path: Path, change: (owner: Tree, key: string | number) => void): unknown {
  const plan = structuredClone(wholePlan());
  change(valueAt(plan, path.slice(0, -1)) as Tree, path.at(-1)!);
  return plan;
}
const isValid = (plan: unknown) => z.safeParse(planSchema, plan).success;

/** Keys that a plan may lack, with `*` for a place in a list. */
const OPTIONAL = [
  ...['chain', 'node', 'rewind', 'resume', 'version', 'late', 'paceMs', 'given', 'postsFinalized', 'polls'],
  ...['harmless', 'firstBlock', 'stop.againMs', 'container', 'container.limits'],
  ...['container.limits.cpus', 'container.limits.memory'],
].map((key) => `tasks.*.${key}`);
OPTIONAL.push(
  ...['accounts.*.privateKey', 'accounts.*.role', 'bundles', 'batcher', 'batcher.rpc', 'proposer', 'proposer.rpc'].map(
    (key) => `network.chains.*.${key}`,
  ),
  'dashboard',
  'ports',
);
/** Values that a probe and the inputs of a genesis hold themselves. */
const isOpen = (path: Path) => /^tasks\.\d+\.(ready|live)\.\d+\.(?!kind$|description$)/.test(path.join('.'));
/** Maps and lists, whose entries may be missing. */
const ENTRIES = /(\.env|\.given|\.contracts|\.l1|\.l2|\.forks|\.overrides|\.bundles|^ports)$/;

describe('the schema of plans', () => {
  const paths = pathsIn(wholePlan()).filter((path) => !isOpen(path));
  const textOf = (path: Path) => path.join('.');

  it('accepts a plan with every key as it is', () => {
    expect(z.parse(planSchema, wholePlan())).toEqual(wholePlan());
    expect(isValid(fixturePlan('/s', 'net', [{ port: 1 }]))).toBe(true);
  });

  it('refuses a value of another type at each place', () => {
    const accepted = paths.filter((path) => {
      const wrong = typeof valueAt(wholePlan(), path) === 'symbol' ? '' : Symbol('wrong');
      return isValid(planWith(path, (owner, key) => Object.assign(owner, { [key]: wrong })));
    });
    expect(accepted.map(textOf)).toEqual([]);
  });

  it('refuses text for what is no text, and a number for what is no number', () => {
    const accepted = paths.filter((path) => {
      const value = valueAt(wholePlan(), path);
      const wrong = typeof value === 'string' || value === null ? 5 : 'text';
      return value !== null && isValid(planWith(path, (owner, key) => Object.assign(owner, { [key]: wrong })));
    });
    expect(accepted.map(textOf)).toEqual([]);
  });

  it('accepts a plan without a key exactly if the key is optional', () => {
    const removable = paths.filter((path) => {
      const owner = path.slice(0, -1);
      if (Array.isArray(valueAt(wholePlan(), owner)) || ENTRIES.test(textOf(owner))) return false;
      return isValid(planWith(path, (each, name) => delete each[name]));
    });
    const places = removable.map((path) => textOf(path).replace(/\.\d+(?=\.|$)/g, '.*'));
    expect(new Set(places)).toEqual(new Set(OPTIONAL));
  });

  it('refuses undefined for an optional key', () => {
    expect(isValid({ ...wholePlan(), ports: undefined })).toBe(false);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['version', [1], [0, 2]],
    ['files.0.mode', [0, 0o7777], [-1, 0o10000, 1.5]],
    ['files.4.content.of.kind', ['file'], ['text', 'other', 'without']],
    ['files.0.content.kind', ['text'], ['l1-genesis', 'file', 'without']],
    ['tasks.1.kind', ['l1', 'beacon', 'el', 'cl', 'batcher', 'proposer'], ['', 'L1']],
    ['tasks.1.launch', ['spawn', 'manual', 'external'], ['']],
    ['tasks.1.clock', ['network', 'wall', 'none'], ['']],
    ['tasks.1.late', [true], [false]],
    ['tasks.1.needs.0.until', ['spawned', 'ready'], ['', 'up']],
    ['tasks.1.ports.0.transport', ['tcp', 'udp'], ['', 'sctp']],
    ['tasks.1.ports.0.port', [0, 65_535], [-1, 65_536, 1.5]],
    ['tasks.1.stop.signal', ['SIGTERM', 'SIGINT', 'SIGQUIT'], ['', 'SIGKILL']],
    ['tasks.1.stop.graceMs', [0, 2 ** 31 - 1], [-1, 2 ** 31]],
    ['tasks.1.onExit', ['fail', 'restart', 'ignore'], ['']],
    ['time.clock', ['wall', 'instant', 'stepped'], ['']],
    ['network.chains.0.nodes.0.role', ['sequencer', 'verifier'], ['']],
    ['network.chains.0.bundles.a', ['official', 'unofficial', 'given'], ['']],
    ['network.chains.0.accounts.0.address', ['0x', '0x0aF', ADDRESS], ['', '0', 'x0x', '0xg', '0x0 ']],
    ['files.1.content.inputs', [{ a: 1 }, []], [null, 'x', undefined]],
  ])('takes at %s the values %j, and none of %j', (place, right, wrong) => {
    const path = place.split('.');
    const isValidWith = (value: unknown) =>
      isValid(planWith(path, (owner, key) => Object.assign(owner, { [key]: value })));
    expect(right.map(isValidWith)).toEqual(right.map(() => true));
    expect(wrong.map(isValidWith)).toEqual(wrong.map(() => false));
  });
});
