import { expect, it } from 'vitest';
import type { ConductorStatus } from '../../src/orchestrator/change/conductor.ts';
import { Home } from '../e2e/devnet.ts';
import { placeOf } from './clients.ts';

const TEST_TIMEOUT_MS = 600_000;
const STAYS = { timeout: 120_000, interval: 200 };

const location = placeOf('op-conductor');
const absent = typeof location === 'string' ? location : undefined;
if (absent !== undefined) console.log(`real clients that are not tested: ${absent}`);

it.skipIf(absent !== undefined)(
  'op-conductor gives the lead to another sequencer when the leader is killed, and the lost one follows again',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    if (typeof location === 'string') throw new Error(location);
    await using home = new Home();
    const sequencer = { role: 'sequencer' };
    const nodes = { s1: sequencer, s2: sequencer, s3: sequencer, v: {} };
    const main = { blockTime: 1, forks: { base: 'granite' }, conductor: location.launch, nodes };
    await home.up(home.spec('raft', { version: 1, name: 'raft', ports: 'auto', chains: { main } }));
    const set = () => home.json<ConductorStatus>('conductor', 'status');
    const runs = async (...words: string[]) => expect(await home.devnet(...words)).toMatchObject({ code: 0 });
    /** Waits for a leader other than one, which sequences, and resolves with its name. */
    async function leaderBeside(former: string): Promise<string> {
      const sequencing = async () => {
        const { leader, members } = await set();
        return members.some((each) => each.name === leader && each.name !== former && each.sequencing);
      };
      await expect.poll(sequencing, STAYS).toBe(true);
      return (await set()).leader ?? '';
    }
    const first = await leaderBeside('');
    const second = first === 's2' ? 's3' : 's2';
    await runs('conductor', 'transfer', second);
    expect(await leaderBeside(first)).toBe(second);
    await runs('node', 'kill', second);
    await leaderBeside(second);
    await runs('deposit', `0x${'11'.repeat(20)}`, '1ether');
    await runs('node', 'start', second);
    await expect.poll(async () => (await set()).members.every(({ healthy }) => healthy), STAYS).toBe(true);
    await home.agrees();
  },
);
