import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, createPublicClient, type Hex, http } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROPOSER_OPTIONS } from '../../../src/nodes/proposer/options.ts';
import { type ProposerValues, type RunningProposer, startProposer } from '../../../src/nodes/proposer/service.ts';
import { accountOf } from '../../../src/nodes/txmgr/account.ts';
import { l1Addresses, l1Alloc, roleAccounts } from '../../../src/protocol/genesis/index.ts';
import { allocJson } from '../../../src/protocol/genesis/render.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { RunningServer } from '../../../src/rpc/server/server.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import { chainInputs, contracts } from '../../protocol/genesis/inputs.ts';
import { memoryLog, until } from '../batcher/helpers.ts';
import { GENESIS_TIME, startAnvil, type TestAnvil } from '../beacon/anvil.ts';
import { type Heads, rootOf, serveNode } from './rollup-node.ts';

const abiOf = (name: string): Abi => {
  const path = `@eth-optimism/contracts-bedrock/forge-artifacts/${name}.sol/${name}.json`;
  return (JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')) as { abi: Abi }).abi;
};
const FACTORY = abiOf('DisputeGameFactory');
const GAME = abiOf('PermissionedDisputeGame');
const REGISTRY = abiOf('AnchorStateRegistry');

const inputs = chainInputs();
const CLOCK = 20;
const addresses = l1Addresses(901, contracts, 'dispute-games');
const roles = roleAccounts(901, contracts);
const IN_PROGRESS = 0;
const DEFENDER_WINS = 2;

/** The published contracts, as a devnet's genesis has them, on a real anvil. */
describe('proposer with dispute games', () => {
  let anvil: TestAnvil;
  let node: RunningServer;
  let heads: Heads;
  let time = GENESIS_TIME;
  const lines: string[] = [];
  const running: RunningProposer[] = [];
  const client = () => createPublicClient({ transport: http(anvil.url) });

  const mine = async () => {
    time += 2;
    await anvil.rpc.call('evm_mine', [{ timestamp: time }]);
  };
  const read = (address: Hex, abi: Abi, functionName: string, args: unknown[] = []): Promise<unknown> =>
    client().readContract({ address, abi, functionName, args } as never);
  const ofFactory = (functionName: string, args: unknown[] = []) =>
    read(addresses['DisputeGameFactory']!, FACTORY, functionName, args);
  const gameAt = async (index: number) => ((await ofFactory('gameAtIndex', [BigInt(index)])) as unknown[])[2] as Hex;
  const statusOf = async (index: number) => read(await gameAt(index), GAME, 'status');

  /** Mines blocks until a condition holds. */
  const mined = (what: string, condition: () => Promise<boolean>) =>
    until(what, async () => {
      if (await condition()) return true;
      await mine();
      return false;
    });
  const created = (games: number) => mined(`${games} games`, async () => Number(await ofFactory('gameCount')) >= games);

  async function start(changes: Partial<ProposerValues> = {}): Promise<RunningProposer> {
    const usage = { name: 'proposer', version: 'test', summary: '', envPrefixes: [] };
    const values: ProposerValues = {
      ...parseOptions(usage, PROPOSER_OPTIONS, [], {}).values,
      l1: anvil.url,
      rollup: `http://127.0.0.1:${node.port}`,
      gameFactory: addresses['DisputeGameFactory']!,
      gameType: 1,
      proposalInterval: 8000,
      resolveGames: true,
      allowNonFinalized: true,
      pollInterval: 50,
      receiptQueryInterval: 50,
      rpcPort: 0,
      ...changes,
    };
    const { log } = memoryLog(lines);
    const proposer = await startProposer(values, accountOf(hexToBytes(roles.proposer.privateKey)), 'test', log);
    proposer.failed.catch(() => {});
    running.push(proposer);
    return proposer;
  }

  beforeEach(async () => {
    time = GENESIS_TIME;
    lines.length = 0;
    const withdrawals = { ...inputs.withdrawals, system: 'dispute-games' as const, gameClock: CLOCK };
    const chains = [{ ...inputs, withdrawals }];
    const alloc = l1Alloc(
      { chainId: 900, hardfork: 'prague', genesisTime: GENESIS_TIME, accounts: [], chains },
      contracts,
    );
    anvil = await startAnvil({ alloc: allocJson(alloc) });
    await mine();
    heads = { safe: 3, finalized: 3, currentL1: { hash: rootOf(1), number: 1 } };
    node = await serveNode(heads);
  });
  afterEach(async () => {
    for (const proposer of running.splice(0)) await proposer.stop();
    await node.close();
    await anvil.kill();
  });

  it('creates a game for the newest block at every interval, and resolves it when its clock expires', async () => {
    await start();
    await created(1);
    heads.safe = 7;
    await created(2);
    const games = await Promise.all([0, 1].map(gameAt));
    const claims = await Promise.all(games.map((game) => read(game, GAME, 'rootClaim')));
    expect(claims).toEqual([rootOf(3), rootOf(7)]);
    expect(await Promise.all(games.map((game) => read(game, GAME, 'l2BlockNumber')))).toEqual([3n, 7n]);
    const times = (await Promise.all(games.map((game) => read(game, GAME, 'createdAt')))) as bigint[];
    expect(Number(times[1]! - times[0]!)).toBeGreaterThanOrEqual(8);
    await mined('both are resolved', async () => (await statusOf(1)) === DEFENDER_WINS);
    expect(await statusOf(0)).toBe(DEFENDER_WINS);
    const resolved = (await Promise.all(games.map((game) => read(game, GAME, 'resolvedAt')))) as bigint[];
    expect(Number(resolved[0]! - times[0]!)).toBeGreaterThan(CLOCK);
    expect(await read(addresses['AnchorStateRegistry']!, REGISTRY, 'anchors', [1])).toEqual([rootOf(7), 7n]);
  });

  it('proposes no block twice, and resolves games that were made before it started', async () => {
    const first = await start({ resolveGames: false });
    await created(1);
    for (let block = 0; block < 10; block++) await mine();
    await first.stop();
    running.length = 0;
    await start();
    await mined('it is resolved', async () => (await statusOf(0)) === DEFENDER_WINS);
    expect(await ofFactory('gameCount')).toBe(1n);
  });

  it('resolves a game again when a reorganisation takes out its resolution', async () => {
    await start({ proposalInterval: 8_000_000 });
    await created(1);
    await mined('it is resolved', async () => (await statusOf(0)) === DEFENDER_WINS);
    for (let block = 0; block < 3; block++) await mine();
    // The resolver has read that nothing is left to do.
    const polls = heads.polls ?? 0;
    await until('the proposer looked again', () => (heads.polls ?? 0) >= polls + 3);
    await anvil.rpc.call('anvil_reorg', [6, []]);
    expect(await statusOf(0)).toBe(IN_PROGRESS);
    await mined('it is resolved again', async () => (await statusOf(0)) === DEFENDER_WINS);
  });

  it('does not resolve a challenged game, and resolves the next one', async () => {
    await start();
    await created(1);
    const challenger = createChallenger(anvil);
    await challenger.attack(await gameAt(0), client());
    heads.safe = 8;
    await created(2);
    await mined('the next one is resolved', async () => (await statusOf(1)) === DEFENDER_WINS);
    expect(await statusOf(0)).toBe(IN_PROGRESS);
  });

  it.each([
    { changes: { gameType: 0 }, code: 'no-game' },
    { changes: { gameFactory: `0x${'11'.repeat(20)}` }, code: 'no-contract' },
  ])('fails with $code on a factory that it cannot serve', async ({ changes, code }) => {
    await expect((await start(changes)).failed).rejects.toMatchObject({ code });
  });

  function createChallenger({ rpc }: TestAnvil) {
    const from = roles.challenger.address;
    return {
      async attack(game: Hex, reader: ReturnType<typeof client>) {
        await rpc.call('anvil_impersonateAccount', [from]);
        const value = (await read(game, GAME, 'getRequiredBond', [2n])) as bigint;
        const { request } = await reader.simulateContract({
          address: game,
          abi: GAME,
          functionName: 'attack',
          args: [0n, rootOf(99)],
          account: from,
          value,
        } as never);
        const { encodeFunctionData } = await import('viem');
        const data = encodeFunctionData(request as never);
        await rpc.call('eth_sendTransaction', [{ from, to: game, data, value: `0x${value.toString(16)}` }]);
        await mine();
        expect(await read(game, GAME, 'claimDataLen')).toBe(2n);
      },
    };
  }
});
