import { type Hex, numberToHex, zeroAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHALLENGER_OPTIONS } from '../../../src/nodes/challenger/options.ts';
import {
  type ChallengerValues,
  checkChallengerOptions,
  startChallenger,
} from '../../../src/nodes/challenger/service.ts';
import { PROPOSER_OPTIONS } from '../../../src/nodes/proposer/options.ts';
import { startProposer } from '../../../src/nodes/proposer/service.ts';
import { accountOf } from '../../../src/nodes/txmgr/account.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { RunningServer } from '../../../src/rpc/server/server.ts';
import { messageOf } from '../../../src/system/failure.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import type { Running } from '../../../src/system/program/program.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { memoryLog, until } from '../batcher/helpers.ts';
import {
  addresses,
  CHALLENGER_WINS,
  DEFENDER_WINS,
  FACTORY_ADDRESS,
  type GamesL1,
  IN_PROGRESS,
  roles,
  startL1,
} from '../games/l1.ts';
import { type Heads, rootOf, serveNode } from '../proposer/rollup-node.ts';

const CLOCK = 20;
const FALSE = rootOf(99);
const usage = { name: 'test', version: 'test', summary: '', envPrefixes: [] };

/** The published contracts, as a devnet's genesis has them, on a real anvil. */
describe('challenger', () => {
  let l1: GamesL1;
  let node: RunningServer;
  let heads: Heads;
  const lines: string[] = [];
  const running: Running[] = [];
  const common = () => ({
    ...{ l1: l1.anvil.url, rollup: `http://127.0.0.1:${node.port}`, gameFactory: FACTORY_ADDRESS, gameType: 1 },
    ...{ pollInterval: 50, receiptQueryInterval: 50, rpcPort: 0 },
  });

  async function challenge(key: Hex = roles.challenger.privateKey, changes: Partial<ChallengerValues> = {}) {
    const values = { ...parseOptions(usage, CHALLENGER_OPTIONS, [], {}).values, ...common(), ...changes };
    const challenger = await startChallenger(values, accountOf(hexToBytes(key)), 'test', memoryLog(lines).log);
    challenger.failed.catch(() => {});
    running.push(challenger);
    return challenger;
  }

  /** Starts a proposer that resolves games, and returns what makes it propose a false output. */
  async function propose(resolveGames = true) {
    const values = {
      ...parseOptions(usage, PROPOSER_OPTIONS, [], {}).values,
      ...common(),
      ...{ proposalInterval: 8000, resolveGames, allowNonFinalized: true, enableAdmin: true },
    };
    const account = accountOf(hexToBytes(roles.proposer.privateKey));
    const proposer = await startProposer(values, account, 'test', memoryLog(lines).log);
    proposer.failed.catch(() => {});
    running.push(proposer);
    const rpc = patientClient({ url: `http://127.0.0.1:${proposer.port}` });
    return async (output: { root: Hex; block?: number }) => {
      const { block } = await rpc.call<{ block: number }>('devnet_proposeFalseOutput', [output]);
      let game: Hex = zeroAddress;
      const args = [1, output.root, numberToHex(block, { size: 32 })];
      await l1.included('the false output is on L1', async () => {
        [game] = (await l1.read(FACTORY_ADDRESS, 'games', args)) as [Hex];
        return game !== zeroAddress;
      });
      return { game, block };
    };
  }
  const isAttacked = (game: Hex) => async () => Number(await l1.read(game, 'claimDataLen')) === 2;
  /** Includes what is sent, and lets no other time pass: the clock of a game runs. */
  const attacked = (game: Hex) => l1.included('it is attacked', isAttacked(game));
  const isLost = (game: Hex) => async () => (await l1.read(game, 'status')) === CHALLENGER_WINS;

  beforeEach(async () => {
    lines.length = 0;
    l1 = await startL1(CLOCK);
    heads = { safe: 3, finalized: 3, currentL1: { hash: rootOf(1), number: 1, timestamp: l1.time() } };
    node = await serveNode(heads);
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
    await node.close();
    await l1.anvil.kill();
  });

  it('attacks a false output, and resolves its game as lost when the clock of the proposer has run out', async () => {
    const lie = await propose();
    const balance = () => l1.anvil.rpc.call<Hex>('eth_getBalance', [addresses['DelayedWETH'], 'latest']).then(BigInt);
    await challenge();
    await l1.mined('a true output is proposed', async () => (await l1.count()) > 0);
    const { game, block } = await lie({ root: FALSE });
    expect(block).toBe(3);
    await attacked(game);
    const [, , claimant, bond, claim] = (await l1.read(game, 'claimData', [1n])) as unknown[];
    expect([claimant, claim]).toEqual([expect.stringMatching(new RegExp(roles.challenger.address, 'i')), rootOf(3)]);
    expect(await balance()).toBe(bond);
    await l1.mined('it is lost', isLost(game));
    const [created, resolved] = await Promise.all(['createdAt', 'resolvedAt'].map((name) => l1.read(game, name)));
    expect(Number(resolved) - Number(created)).toBeGreaterThan(CLOCK);
    await l1.mined('the true one is won', async () => (await l1.statusOf(0)) === DEFENDER_WINS);
    expect(Number(await l1.read(await l1.gameAt(0), 'claimDataLen'))).toBe(1);
  });

  it('attacks an output of a block that is not there once L1 is derived up to the game', async () => {
    const lie = await propose();
    await challenge();
    const { game } = await lie({ root: FALSE, block: 50 });
    const polls = heads.polls ?? 0;
    await until('the challenger looked at it', () => (heads.polls ?? 0) > polls + 5);
    expect(await l1.read(game, 'claimDataLen')).toBe(1n);
    heads.currentL1 = { hash: rootOf(2), number: 2, timestamp: l1.time() };
    await attacked(game);
    expect(((await l1.read(game, 'claimData', [1n])) as unknown[])[4]).toBe(rootOf(3));
  });

  it('attacks again when a reorganisation takes out its attack', async () => {
    const lie = await propose();
    await challenge();
    const { game } = await lie({ root: FALSE });
    await attacked(game);
    await l1.anvil.rpc.call('anvil_reorg', [1, []]);
    expect(await isAttacked(game)()).toBe(false);
    await attacked(game);
    await l1.mined('it is lost', isLost(game));
  });

  it('resolves what it attacked before it was restarted', async () => {
    const lie = await propose();
    const first = await challenge();
    const { game } = await lie({ root: FALSE });
    await attacked(game);
    await first.stop();
    running.splice(running.indexOf(first), 1);
    await challenge();
    await l1.mined('it is lost', isLost(game));
  });

  it('tells that it cannot challenge when it has no funds, and challenges when it has some', async () => {
    await l1.anvil.rpc.call('anvil_setBalance', [roles.challenger.address, '0x1']);
    const lie = await propose();
    const { port } = await challenge();
    const client = patientClient({ url: `http://127.0.0.1:${port}` });
    const health = () => client.call('health_status').catch((error: unknown) => messageOf(error));
    const tells =
      /of the challenger has 0\.0000 ether on L1, and an attack takes a bond of 0\.\d+: send it ether on L1/;
    await until('it tells', async () => tells.test(String(await health())));
    const { game } = await lie({ root: FALSE });
    expect(await l1.read(game, 'claimDataLen')).toBe(1n);
    await l1.anvil.rpc.call('anvil_setBalance', [roles.challenger.address, '0x8ac7230489e80000']);
    await attacked(game);
    // The attack is on L1 before its sender knows.
    await until('it is well', async () => (await health()) === 'test');
  });

  it('leaves a false output when its clock has run out, and says so', async () => {
    const lie = await propose(false);
    const { game } = await lie({ root: FALSE });
    for (let block = 0; block < CLOCK; block++) await l1.mine();
    await challenge();
    await until('it says so', () => lines.some((line) => line.includes('cannot be challenged any more')));
    expect(await l1.read(game, 'status')).toBe(IN_PROGRESS);
    expect(await l1.read(game, 'claimDataLen')).toBe(1n);
  });

  it.each([
    { of: 'proposer', message: 'is the proposer of these games: it cannot challenge itself' },
    { of: 'owner', message: 'the games take no moves of' },
  ] as const)('fails when its key is that of the $of', async ({ of, message }) => {
    const challenger = await challenge(roles[of].privateKey);
    await expect(challenger.failed).rejects.toMatchObject({
      code: 'challenger-key',
      message: expect.stringContaining(message),
    });
  });

  it('the proposer refuses a false output when the root is true', async () => {
    const lie = await propose();
    await expect(lie({ root: rootOf(3) })).rejects.toThrow(`${rootOf(3)} is the true output of block 3`);
  });
});

it('challenger options name what is missing or no address', () => {
  const values = parseOptions(usage, CHALLENGER_OPTIONS, [], {}).values;
  expect(checkChallengerOptions({ ...values, pollInterval: 0 })).toEqual([
    '--poll-interval: expected more than 0',
    '--game-factory-address is missing: the DisputeGameFactory',
  ]);
  expect(checkChallengerOptions({ ...values, gameFactory: '0x12' })).toEqual([
    '--game-factory-address: expected an address of 20 bytes, found 0x12',
  ]);
});
