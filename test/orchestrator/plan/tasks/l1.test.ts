import { expect, it } from 'vitest';
import { optionOf, planOf, task } from '../planned.ts';

const REAL = `l1: { client: geth, binary: geth, hardfork: cancun, beacon: { client: lodestar, binary: lodestar } }
chains: { main: {}, other: {} }`;

const l1HashOf = (plan: ReturnType<typeof planOf>) =>
  plan.files.flatMap(({ path, content }) =>
    path.endsWith('/rollup.json') && content.kind === 'text' ? [JSON.parse(content.text).genesis.l1.hash] : [],
  );

it('a real L1 begins with a block of its genesis state, which its beacon client and all chains know', () => {
  const plan = planOf(REAL);
  const { genesisHash } = plan.network.l1;
  expect(l1HashOf(plan)).toEqual([genesisHash, genesisHash]);
  const { hash, beacon } = { hash: genesisHash, beacon: task(plan, 'l1-beacon') };
  expect(optionOf(beacon, 'genesisEth1Hash')).toBe(hash);
  expect(JSON.stringify(task(plan, 'l1').ready)).toContain(hash);
  // The state of one chain more, or of accounts of the user's, is another state.
  const others = [
    planOf(`${REAL.replace(', other: {}', '')}`),
    planOf(REAL.replace('{ main: {}', '{ main: { accounts: { count: 3 } }')),
  ];
  expect(new Set([plan, ...others].map(({ network }) => network.l1.genesisHash)).size).toBe(3);
  // anvil's block 0 has no state, so that it depends on the time alone.
  expect(planOf('chains: { main: {} }').network.l1.genesisHash).toBe(
    planOf('chains: { a: {}, b: {} }').network.l1.genesisHash,
  );
});

it('a real L1 and its beacon client share a secret in a file, and rollup nodes wait for the beacon API', () => {
  const plan = planOf(REAL);
  const [l1, beacon] = [task(plan, 'l1'), task(plan, 'l1-beacon')];
  const path = optionOf(beacon, 'jwtSecret');
  expect(optionOf(l1, 'authrpc.jwtsecret')).toBe(path);
  const file = plan.files.find((one) => one.path === path);
  expect(file).toMatchObject({ secret: true, mode: 0o600 });
  const secret = file?.content.kind === 'text' ? file.content.text.trim() : '';
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  for (const { command, prepare } of plan.tasks) expect(JSON.stringify([command.argv, prepare])).not.toContain(secret);
  expect([l1, beacon].map(({ reads, secrets }) => [reads.includes(String(path)), secrets])).toEqual([
    [true, [secret]],
    [true, [secret]],
  ]);
  expect(task(plan, 'main/sequencer/cl').needs).toContainEqual({ task: 'l1-beacon', until: 'ready' });
  expect(task(planOf('{}'), 'main/sequencer/cl').needs).not.toContainEqual({ task: 'l1-beacon', until: 'ready' });
  expect(planOf('{}').files.map((one) => one.path)).not.toContainEqual(expect.stringContaining('l1-jwt'));
});

it('a real L1 whose forks activate later tells its beacon client their epochs and blobs', () => {
  const forks = 'forks: { base: cancun, prague: { block: 8 }, osaka: { block: 16 }, bpo1: { block: 24 } }';
  const plan = planOf(REAL.replace('hardfork: cancun', `blockTime: 4, ${forks}`));
  const beacon = task(plan, 'l1-beacon');
  const path = optionOf(beacon, 'paramsFile');
  expect(beacon.reads).toContain(path);
  expect(optionOf(beacon, 'params.SLOT_DURATION_MS')).toBe('4000');
  const file = plan.files.find((one) => one.path === path);
  expect(JSON.parse(file?.content.kind === 'text' ? file.content.text : '')).toMatchObject({
    DENEB_FORK_EPOCH: '0',
    ELECTRA_FORK_EPOCH: '1',
    FULU_FORK_EPOCH: '2',
    BLOB_SCHEDULE: [{ EPOCH: '3', MAX_BLOBS_PER_BLOCK: '15' }],
  });
  const config = plan.files.find((one) => one.path.endsWith('/l1-chain-config.json'));
  const { pragueTime, osakaTime, bpo1Time } = JSON.parse(config?.content.kind === 'text' ? config.content.text : '');
  expect([pragueTime, osakaTime, bpo1Time].map((time) => time - plan.genesisTime)).toEqual([32, 64, 96]);
  const ours = planOf('l1: { client: execution-go }');
  expect(ours.files.map((one) => one.path)).not.toContainEqual(expect.stringContaining('l1-consensus'));
});
