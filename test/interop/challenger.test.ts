import { expect, it } from 'vitest';
import { clientFromEnvironment } from './clients.ts';

/** Limit (ms) of the network. */
const TEST_TIMEOUT_MS = 900_000;
const WAIT = { timeout: 300_000, interval: 500 };
const THIEF = `0x${'66'.repeat(20)}`;

const client = clientFromEnvironment('op-challenger');
const title = 'op-challenger attacks a false output of our proposer, and resolves its game as lost';

if (typeof client === 'string') it.skip(`${title} (${client})`, () => {});
else
  it(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const { Home } = await import('../e2e/devnet.ts');
    await using home = new Home();
    const challenger = client.launch;
    const l1 = { blockTime: 1, hardfork: client.knowsPrague ? 'prague' : 'cancun' };
    // op-challenger resolves all games, and is held up by those that another process resolved first.
    const args = { 'resolve-games': false };
    const proposer = { system: 'dispute-games', finalization: 2, gameClock: 20, args, challenger };
    await home.up(
      home.spec('challenged', {
        ...{ version: 1, name: 'challenged', ports: 'auto', l1 },
        chains: { main: { blockTime: 1, proposer } },
      }),
    );
    expect(await home.devnet('wait', 'safe:4', '--timeout', '300s')).toMatchObject({ code: 0 });
    const { game } = await home.json<{ game: string }>('proposer', 'lie', THIEF, '5ether');
    const state = async () => {
      const games = await home.json<{ address: string; state: string; claims: number }[]>('games', '--count', '200');
      return games.find(({ address }) => address === game);
    };
    await expect.poll(state, WAIT).toMatchObject({ claims: 2 });
    await expect.poll(state, WAIT).toMatchObject({ state: 'challenger-wins' });
    const { code, stderr } = await home.devnet('down');
    expect(code, stderr).toBe(0);
  });
