import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, createPublicClient, encodeFunctionData, type Hex, http, numberToHex } from 'viem';
import { l1Addresses, l1Alloc, roleAccounts } from '../../../src/protocol/genesis/index.ts';
import { allocJson } from '../../../src/protocol/genesis/render.ts';
import { chainInputs, contracts } from '../../protocol/genesis/inputs.ts';
import { until } from '../batcher/helpers.ts';
import { GENESIS_TIME, startAnvil } from '../beacon/anvil.ts';

const abiOf = (name: string): Abi => {
  const path = `@eth-optimism/contracts-bedrock/forge-artifacts/${name}.sol/${name}.json`;
  return (JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')) as { abi: Abi }).abi;
};
const FACTORY = abiOf('DisputeGameFactory');
export const GAME = abiOf('PermissionedDisputeGame');

/** Status of a game (`GameStatus`). */
export const IN_PROGRESS = 0;
export const CHALLENGER_WINS = 1;
export const DEFENDER_WINS = 2;

export const addresses = l1Addresses(901, contracts, 'dispute-games');
export const roles = roleAccounts(901, contracts);
export const FACTORY_ADDRESS = addresses['DisputeGameFactory']!;

/** Starts an anvil with the published contracts of dispute games, as a devnet's genesis has them. */
export async function startL1(gameClock: number) {
  const inputs = chainInputs();
  const withdrawals = { ...inputs.withdrawals, system: 'dispute-games' as const, gameClock };
  const alloc = l1Alloc(
    { chainId: 900, hardfork: 'prague', genesisTime: GENESIS_TIME, accounts: [], chains: [{ ...inputs, withdrawals }] },
    contracts,
  );
  const anvil = await startAnvil({ alloc: allocJson(alloc) });
  let time = GENESIS_TIME;
  const client = () => createPublicClient({ transport: http(anvil.url) });
  const read = (address: Hex, functionName: string, args: unknown[] = []): Promise<unknown> =>
    client().readContract({
      address,
      abi: address === FACTORY_ADDRESS ? FACTORY : GAME,
      functionName,
      args,
    } as never);
  const mine = async () => {
    time += 2;
    await anvil.rpc.call('evm_mine', [{ timestamp: time }]);
  };
  const gameAt = async (index: number) =>
    ((await read(FACTORY_ADDRESS, 'gameAtIndex', [BigInt(index)])) as unknown[])[2] as Hex;
  await mine();
  return {
    anvil,
    read,
    mine,
    gameAt,
    statusOf: async (index: number) => read(await gameAt(index), 'status'),
    count: async () => Number(await read(FACTORY_ADDRESS, 'gameCount')),
    /** Creates a game as an account, and mines it. */
    async create(from: Hex, root: Hex, block: number) {
      await anvil.rpc.call('anvil_impersonateAccount', [from]);
      const args = [1, root, numberToHex(block, { size: 32 })];
      const data = encodeFunctionData({ abi: FACTORY, functionName: 'create', args });
      await anvil.rpc.call('eth_sendTransaction', [{ from, to: FACTORY_ADDRESS, data }]);
      await mine();
    },
    /** Seconds of the newest block. */
    time: () => time,
    /** Mines what is sent until a condition holds. Time goes on with transactions alone. */
    included: (what: string, condition: () => Promise<boolean>) =>
      until(what, async () => {
        if (await condition()) return true;
        const { pending } = await anvil.rpc.call<{ pending: object }>('txpool_content');
        if (Object.keys(pending).length > 0) await mine();
        return false;
      }),
    /** Mines blocks until a condition holds. */
    mined: (what: string, condition: () => Promise<boolean>) =>
      until(what, async () => {
        if (await condition()) return true;
        await mine();
        return false;
      }),
  };
}
export type GamesL1 = Awaited<ReturnType<typeof startL1>>;
