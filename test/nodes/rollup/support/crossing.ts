import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BatcherValues } from '../../../../src/nodes/batcher/service.ts';
import { serveChannel } from '../../../../src/orchestrator/channel/channel-server.ts';
import type { ForkName, ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import { keccak256Text } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { patientClient } from '../../../rpc/patient-client.ts';
import { devAccount } from './accounts.ts';
import { devnetBatcher } from './batcher.ts';
import { allBundles } from './bundles.ts';
import { startDaServer } from './da-server.ts';
import { eventually, TestDevnet } from './devnet.ts';

/** A sequence of fork activations. */
export interface Crossing {
  readonly base: Parameters<typeof upTo>[0];
  /** Interval of activations in seconds. */
  readonly forks: readonly ForkName[];
  readonly batches: 'singular' | 'span';
  /** alt-da: keccak commitments in calldata, the data on a DA server. */
  readonly da: 'calldata' | 'blobs' | 'alt-da';
  readonly compression?: BatcherValues['compression'];
}

/** The result of a crossing. */
interface Crossed {
  readonly blocks: number;
  /** Heads that fresh verifiers derived, by the flavour of their execution client. */
  readonly derived: Readonly<Record<'go' | 'rust', readonly Hex[]>>;
  readonly sequenced: readonly Hex[];
  /** By fork: users' transactions and deposits in the blocks around its activation. */
  readonly traffic: Readonly<Record<string, { before: number; after: number; deposits: number }>>;
}

/** Seconds between activations, and blocks around one that must have traffic. */
const ACTIVATION_INTERVAL_SECONDS = 6;
const depositSelector = bytesToHex(
  keccak256Text('depositTransaction(address,uint256,uint64,bool,bytes)').subarray(0, 4),
);
const word = (value: bigint | number | Hex) => BigInt(value).toString(16).padStart(64, '0');

const ALT_DA = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: `0x${'da'.repeat(20)}`,
  da_challenge_window: 100,
  da_resolve_window: 100,
};

const PLAIN_FEES = { overhead: `0x${word(188)}`, scalar: `0x${word(684_000)}` } as const;
/** Time limit (ms) of slow work: pairings of many blobs. */
const CROSSING_TIMEOUT_MS = 300_000;

/** The schedule of a crossing. */
function scheduleOf({ base, forks }: Crossing, genesis: number): ForkSchedule {
  const later = Object.fromEntries(forks.map((fork, at) => [fork, genesis + ACTIVATION_INTERVAL_SECONDS * (at + 1)]));
  return { ...upTo(base), ...later };
}

/**
 * Runs a network over the activations on a clock that the test moves.
 * Execution clients, rollup nodes, batcher and anvil are real. Each step has a transaction on L2 and a deposit on L1.
 * Afterwards two verifiers, one of each flavour, derive the chain from L1 alone.
 */
async function cross(crossing: Crossing): Promise<Crossed> {
  await using devnet = await TestDevnet.start({
    ageSeconds: 0,
    scheduleAt: (genesis) => scheduleOf(crossing, genesis),
    mine: false,
    // Before ecotone a scalar is one number.
    ...(['bedrock', 'regolith', 'canyon', 'delta'].includes(crossing.base) && { systemConfig: PLAIN_FEES }),
  });
  const { l1, config } = devnet;
  const genesis = config.genesis.l2_time;
  const clock = join(devnet.folder, 'clock.json');
  const at = (seconds: number) => ({ at: seconds * 1000, wall: Date.now(), rate: 1 });
  const socket = join(devnet.folder, 'clock.sock');
  const owner = await serveChannel(socket, at(genesis));
  await using _owner = { [Symbol.asyncDispose]: () => owner.close() };
  const moveTo = (seconds: number) => owner.clock.push(at(seconds), { watched: false });
  writeFileSync(clock, JSON.stringify({ ...at(genesis), socket }));
  const argv = [`--clock=${clock}`, `--rollup.upgrade-bundles=${allBundles(devnet.folder)}`, '--p2p.disable'];
  await using server = await startDaServer();
  if (crossing.da === 'alt-da') {
    const file = join(devnet.folder, 'alt-da.json');
    writeFileSync(file, JSON.stringify({ ...config, alt_da: ALT_DA }));
    argv.push(`--rollup.config=${file}`, '--altda.enabled', `--altda.da-server=${server.url}`);
  }
  const engine = await devnet.engine({}, 'go');
  const sequencer = await devnet.sequencer(engine.node.ports.engine, ...argv);
  const batcher = await devnetBatcher(devnet, engine.url, sequencer.node.rpcPort, {
    batchType: crossing.batches === 'span' ? '1' : '0',
    dataAvailability: crossing.da === 'alt-da' ? 'calldata' : crossing.da,
    ...(crossing.da === 'alt-da' && { altDaEnabled: true, altDaServer: server.url }),
    ...(crossing.compression && { compression: crossing.compression }),
    maxChannelDuration: 1,
  });
  await using _ = { [Symbol.asyncDispose]: () => batcher.stop() };

  // Otherwise anvil loads the trusted setup, for 6 s of processor time. The verifiers verify the blobs.
  await l1.call('anvil_impersonateAccount', [config.genesis.system_config.batcherAddr]);
  const account = devAccount(1);
  const depositor = devnet.inputs.accounts[2]!.address;
  await l1.call('anvil_impersonateAccount', [depositor]);
  const deposit = `${depositSelector}${word(account.address)}${word(7)}${word(100_000)}${word(0)}${word(160)}${word(0)}`;
  const blocks = ACTIVATION_INTERVAL_SECONDS * (crossing.forks.length + 1);
  let nonce = 0;
  const step = async (time: number, hasTraffic: boolean) => {
    if (hasTraffic) {
      await engine.rpc.call('eth_sendRawTransaction', [await account.transfer(config.l2_chain_id, nonce++)]);
      await l1.call('eth_sendTransaction', [
        { from: depositor, to: config.deposit_contract_address, data: deposit, value: '0x7', gas: '0x100000' },
      ]);
    }
    await l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
    await l1.call('evm_mine', []);
    moveTo(time + 0.05);
    await sequencer.reached('unsafe_l2', Math.min(blocks, time - genesis), CROSSING_TIMEOUT_MS);
  };
  let time = genesis;
  while (time < genesis + blocks) await step(++time, true);
  // Time for the batcher's last transactions and their derivation.
  const finish = async () => {
    await step(++time, false);
    return (await sequencer.status())['safe_l2']!.number >= blocks ? true : undefined;
  };
  await eventually(finish, CROSSING_TIMEOUT_MS);

  const derived = async (flavour: 'go' | 'rust') => {
    const engine = await devnet.engine({}, flavour);
    const verifier = await devnet.node(engine.node.ports.engine, ...argv);
    await verifier.reached('safe_l2', blocks, CROSSING_TIMEOUT_MS);
    return hashesOf(engine.url, blocks);
  };
  return {
    blocks,
    derived: { go: await derived('go'), rust: await derived('rust') },
    sequenced: await hashesOf(engine.url, blocks),
    traffic: await trafficAround(engine.url, crossing),
  };
}

/**
 * Crosses the activations and returns the number of blocks.
 * Expects equal hashes of every block on both verifiers, with transactions and deposits around each activation.
 */
export async function expectSameChain(crossing: Crossing): Promise<number> {
  const { blocks, derived, sequenced, traffic } = await cross(crossing);
  expect(derived.go).toEqual(sequenced);
  expect(derived.rust).toEqual(sequenced);
  for (const [fork, { before, after, deposits }] of Object.entries(traffic))
    expect([fork, before > 0, after > 0, deposits > 0]).toEqual([fork, true, true, true]);
  return blocks;
}

async function hashesOf(url: string, blocks: number): Promise<readonly Hex[]> {
  return (await blocksOf(url, blocks)).map(({ hash }) => hash);
}

interface Block {
  readonly hash: Hex;
  readonly transactions: readonly { readonly type: Hex; readonly sourceHash?: Hex }[];
}

async function blocksOf(url: string, blocks: number): Promise<readonly Block[]> {
  const rpc = patientClient({ url });
  const numbers = Array.from({ length: blocks + 1 }, (_, number) => `0x${number.toString(16)}`);
  const views = await Promise.all(numbers.map((number) => rpc.call<Block>('eth_getBlockByNumber', [number, true])));
  rpc.close();
  return views;
}

async function trafficAround(url: string, { forks }: Crossing): Promise<Crossed['traffic']> {
  const blocks = await blocksOf(url, ACTIVATION_INTERVAL_SECONDS * (forks.length + 1));
  const count = (from: number, to: number, type: (hex: Hex) => boolean) =>
    blocks.slice(from, to).flatMap(({ transactions }) => transactions.filter((one) => type(one.type))).length;
  const isUser = (type: Hex) => type !== '0x7e';
  return Object.fromEntries(
    forks.map((fork, at) => {
      const activation = ACTIVATION_INTERVAL_SECONDS * (at + 1);
      return [
        fork,
        {
          before: count(activation - 3, activation, isUser),
          after: count(activation + 1, activation + 4, isUser),
          deposits: count(activation - 3, activation + 4, (type) => type === '0x7e') - 7,
        },
      ];
    }),
  );
}
