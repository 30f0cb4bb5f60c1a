import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { EXPORT_PATHS } from '../../../../src/orchestrator/export/export-network.ts';
import { kubernetesFiles } from '../../../../src/orchestrator/export/kubernetes/kubernetes.ts';
import type { ExportFile } from '../../../../src/orchestrator/export/network-folder.ts';
import { exportText, SPECS } from '../exported.ts';

const WORDS = 'test test test test test test test test test test test junk';
const OPEN = `chains: { main: { accounts: { mnemonic: ${WORDS} } } }`;

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own fields, which the schema checks.
  readonly spec?: any;
}

async function filesOf(text: string, isExposed = false) {
  const { devnet, units } = await exportText(text, isExposed);
  const files = { 'spec.yaml': 'spec.yaml', 'network.json': 'network.json' };
  const options = {
    devnet,
    namespace: 'try',
    image: 'registry.example/devnet:1',
    version: '1.0.0',
    storage: 'fast',
    isExposed,
    files,
  };
  return kubernetesFiles(units, options, EXPORT_PATHS);
}

/** Whether a file of an export holds objects. */
const isObjects = ({ path }: ExportFile) => path.endsWith('.yaml') && path !== 'kustomization.yaml';

async function objectsOf(text: string, isExposed = false): Promise<readonly KubernetesObject[]> {
  const files = await filesOf(text, isExposed);
  return files
    .filter(isObjects)
    .flatMap(({ text }) => parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject));
}

/** Program that holds objects to the published schemas (PyPI). */
const VALIDATOR = process.env['KUBERNETES_VALIDATE'] ?? 'kubernetes-validate';
const NONE = spawnSync(VALIDATOR, ['--help']).error === undefined ? undefined : `${VALIDATOR} is not installed`;

/** Kubernetes' versions whose schemas must take the objects: the oldest that is maintained, and the newest. */
const VERSIONS = ['1.34', '1.37'];

/** What the published schemas say of files, unknown fields included: the lines that are no success. */
function faultsOf(files: readonly ExportFile[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'k8s-'));
  const paths = files.map(({ path, text }) => {
    const file = join(folder, path);
    writeFileSync(file, text);
    return file;
  });
  return VERSIONS.flatMap((version) => {
    const argv = ['--strict', '--kubernetes-version', version, ...paths];
    const { stdout, stderr } = spawnSync(VALIDATOR, argv, { encoding: 'utf8' });
    return `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('INFO'));
  });
}

describe.skipIf(NONE !== undefined)(`the published schemas of Kubernetes${NONE ? ` (${NONE})` : ''}`, () => {
  it('take each object of every kind of network', { timeout: 180_000 }, async () => {
    const all = await Promise.all(
      [...Object.values(SPECS), OPEN].map(async (text, index) => {
        const files = await filesOf(text, text === OPEN);
        return files.filter(isObjects).map((file) => ({ ...file, path: `${index}-${file.path}` }));
      }),
    );
    // Many networks have equal objects.
    const distinct = new Map(all.flat().map((file) => [file.text, file]));
    expect(faultsOf([...distinct.values()])).toEqual([]);
  });

  it('refuse a field that Kubernetes does not know, and one of another type', async () => {
    const set = (await filesOf('{}')).find(({ path }) => path === 'main-batcher.yaml');
    const changed = (from: string, to: string) =>
      faultsOf([{ path: 'x.yaml', text: set?.text.replace(from, to) ?? '' }]);
    expect(changed('replicas: 1', 'replica: 1').join('\n')).toContain("'replica' was unexpected");
    expect(changed('replicas: 1', 'replicas: one').join('\n')).toContain("'one' is not of type");
  });
});

it('a pod runs on nodes with the labels of its place', async () => {
  const sets = (await objectsOf(SPECS['placed processes'] ?? '')).filter(({ kind }) => kind === 'StatefulSet');
  const selectors = sets.map(({ metadata, spec }) => [metadata.name, spec.template.spec.nodeSelector]);
  expect(Object.fromEntries(selectors)).toMatchObject({
    l1: { disk: 'ssd' },
    'main-s-el': { site: 'a' },
    'main-v-cl': { site: 'b' },
    'main-batcher': { site: 'c' },
  });
  const [anywhere] = (await objectsOf('{}')).filter(({ kind }) => kind === 'StatefulSet');
  expect(anywhere?.spec.template.spec).not.toHaveProperty('nodeSelector');
});

it('a network gives the same files each time, without fork times, hashes, seed and keys', async () => {
  const text = `seed: 987654\n${SPECS['a late fork']}`;
  const first = JSON.stringify(await filesOf(text));
  expect(JSON.stringify(await filesOf(text))).toBe(first);
  expect(first).not.toMatch(/987654|0x[0-9a-f]{16}|isthmus|\b1[789]\d{8}\b/);
});

const digestsOf = (objects: readonly KubernetesObject[]) =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'StatefulSet')
      .map(({ metadata, spec }) => [metadata.name, spec.template.metadata.annotations['rollup-devnet/plan']]),
  );

it('a fork time of one node changes the pods of that node, and no others', async () => {
  const at = (seconds: number) =>
    `chains: { main: { forks: { base: holocene, isthmus: +20s },
      nodes: { s: { role: sequencer }, v: { override: { isthmus: +${seconds}s } } } } }`;
  const before = digestsOf(await objectsOf(at(30)));
  const after = digestsOf(await objectsOf(at(40)));
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['main-v-el', 'main-v-cl']);
});

it('each pod is one that a namespace of the restricted level takes', async () => {
  for (const { kind, metadata, spec } of await objectsOf('{}')) {
    if (kind !== 'StatefulSet') continue;
    const { template } = spec;
    expect(template.spec, metadata.name).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          },
        },
      ],
    });
  }
});

it('ports of the nodes lead to JSON-RPC alone, and only when the network is exposed', async () => {
  const openOf = (objects: readonly KubernetesObject[]) =>
    objects
      .filter(({ spec }) => spec?.type === 'NodePort')
      .map(
        ({ metadata, spec }) => `${metadata.name} ${spec.ports.map(({ port }: { port: number }) => port).join(' ')}`,
      );
  expect(openOf(await objectsOf(OPEN))).toEqual([]);
  const open = await objectsOf(OPEN, true);
  expect(openOf(open)).toEqual(['l1-open 8545', 'main-sequencer-el-open 9545 9546', 'main-verifier-el-open 9555 9556']);
  const policies = open.filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name);
  expect(policies).toEqual(['network', 'l1-open', 'main-sequencer-el-open', 'main-verifier-el-open']);
});

it('a drain leaves L1 and the sequencer alone', async () => {
  const budgets = (await objectsOf('{}')).filter(({ kind }) => kind === 'PodDisruptionBudget');
  expect(budgets.map(({ metadata }) => metadata.name)).toEqual(['l1', 'main-sequencer-el', 'main-sequencer-cl']);
});

describe('the script of a roll-out', () => {
  /** Runs the script of an export with a program in place of kubectl, and returns the words of each call. */
  async function callsOf(text: string, program: string) {
    const folder = mkdtempSync(join(tmpdir(), 'k8s-'));
    const script = (await filesOf(text)).find(({ path }) => path === 'roll-out.sh')?.text ?? '';
    writeFileSync(join(folder, 'roll-out.sh'), script);
    const kubectl = join(folder, 'kubectl');
    const log = join(folder, 'calls');
    writeFileSync(kubectl, `#!/bin/sh\necho "$*" >> ${log}\n${program}\n`, { mode: 0o755 });
    const env = { ...process.env, KUBECTL: kubectl };
    const { status, stderr } = spawnSync('sh', [join(folder, 'roll-out.sh')], { encoding: 'utf8', env, cwd: '/' });
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    return { status, stderr, calls: calls.filter((call) => !/ ?get /.test(call)) };
  }

  /** Answers of a cluster that runs the network. */
  const RUNNING = 'case "$*" in *!=*) ;; *get*) echo name;; esac';

  it('changes what all share, then each process and waits for it: verifiers first, L1 last', async () => {
    const { status, calls } = await callsOf('{}', RUNNING);
    expect(status).toBe(0);
    const units = [
      'main-verifier-el',
      'main-verifier-cl',
      'main-batcher',
      'main-proposer',
      'main-sequencer-el',
      'main-sequencer-cl',
      'l1',
    ];
    expect(calls).toEqual([
      'apply -k . --dry-run=server',
      'apply -k . -l !app.kubernetes.io/component',
      ...units.flatMap((unit) => [
        `apply -k . -l app.kubernetes.io/component=${unit}`,
        `-n try rollout status statefulset/${unit} --timeout=600s`,
      ]),
    ]);
  });

  it('ends at the first process that does not become ready', async () => {
    const { status, calls } = await callsOf('{}', `${RUNNING}; case "$*" in *status*) exit 1;; esac`);
    expect(status).toBe(1);
    expect(calls.at(-1)).toContain('statefulset/main-verifier-el');
  });

  it('starts a network that does not run yet, all at once', async () => {
    expect(await callsOf('{}', '')).toMatchObject({ status: 0, calls: ['apply -k .'] });
  });

  it('applies nothing in a namespace that has other objects, and names them', async () => {
    const { status, stderr, calls } = await callsOf('{}', 'case "$*" in *!=*) echo service/web;; *get*) echo x;; esac');
    expect({ status, calls }).toEqual({ status: 1, calls: [] });
    expect(stderr).toContain('the namespace try has other objects, and nothing was applied: service/web');
  });

  it('applies nothing if the cluster refuses an object, with its words', async () => {
    const program = `${RUNNING}; case "$*" in *dry-run*) echo 'StatefulSet "l1" is invalid' >&2; exit 1;; esac`;
    const { status, stderr, calls } = await callsOf('{}', program);
    expect({ status, calls }).toEqual({ status: 1, calls: ['apply -k . --dry-run=server'] });
    expect(stderr).toContain('StatefulSet "l1" is invalid');
  });

  it('takes each object of the network once', async () => {
    const { calls } = await callsOf('{}', RUNNING);
    const units = calls.flatMap((call) => /component=(\S+)/.exec(call)?.[1] ?? []);
    const labels = (await objectsOf('{}')).map(
      ({ metadata }) => (metadata as { labels?: Readonly<Record<string, string>> }).labels ?? {},
    );
    const named = labels.flatMap((each) => each['app.kubernetes.io/component'] ?? []);
    expect(units.toSorted()).toEqual([...new Set(named)].toSorted());
  });
});
