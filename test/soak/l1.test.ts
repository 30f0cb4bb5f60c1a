import { expect, it } from 'vitest';
import { Home, node, rpc, type Status } from '../e2e/devnet.ts';
import { SmallDisk } from '../orchestrator/cli/small-disk.ts';
import { until } from './derivation/faults.ts';
import { different, STEPS } from './l1-steps.ts';
import { succeed, type Trial } from './l1-trial.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 30);
const SEED = Number(process.env['SEED'] ?? 1);
/** Steps of a round. */
const COUNT = 4;
/** Bytes of the disk of the network. */
const DISK = 500_000_000;

const name = 'l1-soak';
const spec = {
  version: 1,
  name,
  ports: 'auto',
  l1: { finality: 'real' },
  chains: {
    main: {
      forks: { base: 'isthmus', jovian: '+100000s' },
      nodes: { sequencer: { role: 'sequencer', el: 'execution-go' }, verifier: { el: 'execution-rust' } },
    },
  },
};

/** A linear congruential generator. */
function picks(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Returns the L2 block of the newest output on L1. */
async function newestOutput(status: Status): Promise<number> {
  const to = status.chains[0]!.contracts.l1['L2OutputOracle'];
  // latestBlockNumber()
  return Number(await rpc<string>(status.l1.rpc, 'eth_call', { to, data: '0x4599c788' }, 'latest'));
}

/** Mounts a small disk at a folder; undefined if this user may not. */
function mountDisk(folder: string): SmallDisk | undefined {
  try {
    return new SmallDisk(folder, DISK);
  } catch (error) {
    console.log(`no step fills a disk: ${error}`);
    return undefined;
  }
}

it(`${ROUNDS} rounds of saves, warps, kills, reorganisations, full disks and fork moves leave one L1`, async () => {
  await using home = new Home();
  using disk = mountDisk(home.env['DEVNET_HOME']!);
  await home.up(home.spec(name, spec));
  const trial: Trial = { home, name, disk, saves: 0, pick: picks(SEED) };
  const names = Object.keys(STEPS);
  for (let round = 1; round <= ROUNDS; round++) {
    const steps = Array.from({ length: COUNT }, () => names[trial.pick(names.length)]!);
    console.log(`round ${round}: ${steps.join(', ')}`);
    for (const step of steps) {
      await STEPS[step]!(trial);
    }
    const status = await home.status();
    expect(different(trial)).toEqual([]);
    const to = `0x${String(round).padStart(40, '0').replace(/^0{8}/, 'deadbeef')}`;
    await succeed(trial, 'deposit', to, '7wei', '--timeout', '300s');
    await until(`the deposit of round ${round} at the verifier`, async () => {
      const { el } = node(status, 'verifier');
      return (await rpc(el.http, 'eth_getBalance', to, 'latest')) === '0x7' || undefined;
    });
    const from = await newestOutput(status);
    await until(`an output after block ${from}`, async () => (await newestOutput(status)) > from || undefined);
    await succeed(trial, 'check');
  }
});
