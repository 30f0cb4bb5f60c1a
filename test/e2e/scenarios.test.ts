import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'tar';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { secretsOf } from '../../src/orchestrator/plan/redact.ts';
import { Home, root } from './devnet.ts';

const RUNS_ALL = process.env['SCENARIOS'] === 'all';

/**
 * Scenarios that run with SCENARIOS=all. `activations` crosses every fork. The others stop nodes, move forks, fill
 * blocks, miss blobs and withdraw as tests of their own do. `make soak-weather` runs `bad-weather` for many rounds.
 */
const COVERED = /-(activation|over-fork|behind|killed)$|^(bad-w|batcher-o|both-f|full-b|blob-m|leader-l)/;

/** Scenarios whose two runs make the same blocks. A reorganisation and a dropped batch stand for the others. */
const TWICE = ['l1-reorg-over-activation', 'batch-dropped'];
const OTHERS_TWICE = [
  'l1-away-for-an-epoch',
  'l1-forks',
  'gas-caps',
  'da-switched-while-l1-stalls',
  'da-away',
  'signer-away',
];

const SCENARIOS = readdirSync(join(root, 'devnets', 'scenarios'))
  .map((file) => file.replace(/\.yaml$/, ''))
  .filter((name) => RUNS_ALL || !(COVERED.test(name) || TWICE.includes(name)));

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seed: number;
  readonly steps: readonly { step: string; status: string; evidence: Record<string, unknown> }[];
}

/**
 * Returns how to run a scenario: one by its name, the others as copies with ports of their own. A devnet of another
 * home can take a preferred port while its node is stopped.
 */
function scenario(home: Home, name: string): string {
  if (name === 'activations') return name;
  const text = readFileSync(join(root, 'devnets', 'scenarios', `${name}.yaml`), 'utf8');
  return home.spec(name, text.replace(/^devnet:$/m, 'devnet:\n  ports: auto'));
}

describe('scenarios', () => {
  it.each(SCENARIOS)('%s passes and leaves nothing', async (name) => {
    await using home = new Home();
    const { code, stdout, stderr } = await home.devnet('run', scenario(home, name), '--json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name, passed: true });
    expect(await home.json<unknown[]>('ls')).toEqual([]);
    expect(home.leftovers()).toEqual([]);
  });
});

it.each([...TWICE, ...(RUNS_ALL ? OTHERS_TWICE : [])])('two runs of %s print the same heads', async (name) => {
  const heads = async () => {
    await using home = new Home();
    const { code, stdout, stderr } = await home.devnet('run', scenario(home, name), '--json');
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { readonly heads: unknown }).heads;
  };
  expect(await heads()).toEqual(await heads());
});

/** Passes when the node without the fork has derived its own block. */
const DIFFERS = { expect: { diverge: { node: 'late', block: 12, field: 'extraData' }, within: '60s' } };

it('a scenario that fails exits with 1, says why and keeps its logs; the next run replaces them', async () => {
  await using home = new Home();
  const path = home.spec('fails', {
    name: 'fails',
    devnet: {
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: {
        a: {
          blockTime: 1,
          forks: { base: 'granite', holocene: { block: 12 } },
          nodes: { s: { role: 'sequencer' }, late: { override: { holocene: 'never' } } },
        },
      },
    },
    steps: [
      { exec: { run: 'echo "$DEVNET_L2_CHAIN_ID"', stdout: '^901$', as: 'id' } },
      { exec: 'test ${id.stdout} = 901' },
      { repeat: { times: 1, steps: [{ warp: { to: 'block:16' } }, DIFFERS] } },
      { parallel: [{ exec: { run: 'exit 3', exits: 3 } }, { exec: 'exit 4' }] },
      { wait: 'block:2' },
    ],
  });
  const junit = join(home.folder, 'junit.xml');
  const archive = join(home.folder, 'fails.tgz');
  const { code, stdout, stderr } = await home.devnet('run', path, '--json', '--junit', junit, '--repro', archive);
  expect(code, stderr).toBe(1);
  const result = JSON.parse(stdout) as Result & { folder: string };
  expect(result.steps.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'failed', 'skipped']);
  expect(result.steps[3]?.evidence).toMatchObject({
    nodes: [{ node: 'a/s', el: 'ready' }, { node: 'a/late' }],
    steps: [{ number: '4.1' }, { number: '4.2' }],
  });
  // The health watch confirms a divergence later.
  const different = { subject: 'a/late/el', what: expect.stringMatching(/^has another block 12/) };
  expect(result.steps[3]?.evidence['problems']).toContainEqual(expect.objectContaining(different));
  expect(JSON.stringify(result.steps[3]).match(/has another block/g)).toHaveLength(1);
  expect(stderr).toMatch(/FAILED +4\/5 +parallel .*\n +.*fails\.yaml:\d+\n +4\.2 exec exit 4: /);
  expect(stderr.match(/PROBLEM +a\/late\/el: has another block 12.*extraData is /g)).toHaveLength(1);
  expect(stderr).toContain(`logs are kept in ${result.folder}`);
  expect(existsSync(join(result.folder, 'nodes'))).toBe(true);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /tests="5".*failures="1".*skipped="1".*<failure message="4\.2 exec exit 4: .*PROBLEM +a\/late\/el/s,
  );
  expect(home.leftovers()).toEqual([]);
  const names: string[] = [];
  const texts: Promise<string>[] = [];
  await list({
    file: archive,
    onReadEntry(entry) {
      names.push(entry.path.replace('fails/', ''));
      texts.push(entry.concat().then(String));
    },
  });
  expect(names).toEqual(
    expect.arrayContaining(['spec.yaml', 'plan.json', 'scenario.yaml', 'result.json', 'heads.json']),
  );
  const plan = JSON.parse(readFileSync(join(result.folder, 'plan.json'), 'utf8')) as Plan;
  const keys = plan.network.chains.flatMap(({ accounts }) => accounts.flatMap(({ privateKey }) => privateKey ?? []));
  const secrets = [...secretsOf(plan), ...keys].map((secret) => secret.trim().replace(/^0x/, ''));
  expect(secrets.length).toBeGreaterThan(10);
  const whole = (await Promise.all(texts)).join('\n').toLowerCase();
  expect(secrets.filter((secret) => whole.includes(secret.toLowerCase()))).toEqual([]);
  const again = await home.devnet('run', archive, '--json');
  expect(again.code, again.stderr).toBe(1);
  expect((JSON.parse(again.stdout) as typeof result).steps.map(({ status }) => status)).toContain('failed');
});
