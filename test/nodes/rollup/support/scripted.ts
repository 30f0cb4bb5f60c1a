import type { EngineClient, EngineLabel } from '../../../../src/nodes/rollup/engine/client.ts';
import { EngineError, isEngineError } from '../../../../src/nodes/rollup/engine/error.ts';
import type { ForkchoiceState } from '../../../../src/nodes/rollup/engine/forkchoice.ts';
import { payloadBlockHash } from '../../../../src/protocol/codec/payload-header.ts';
import { prepareAttributes } from '../../../../src/protocol/derivation/attributes/attributes.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import type { L1Chain, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import { rollupConfig } from '../../../../src/protocol/genesis/index.ts';
import type {
  ExecutionPayload,
  ExecutionPayloadEnvelope,
  Hex,
  L1Header,
  L2BlockRef,
  PayloadAttributes,
} from '../../../../src/protocol/types.ts';
import { createLogger } from '../../../../src/system/program/log.ts';
import { chainInputs, contracts, GENESIS_TIME, upTo } from '../../../protocol/genesis/inputs.ts';

export const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
const word = (text: string) => `0x${Buffer.from(text.padEnd(32, '.')).toString('hex')}` as Hex;

/** A rollup of 2 s blocks whose genesis blocks are the scripted ones. */
export function scriptedRollup(
  schedule: ForkSchedule = upTo('jovian'),
  changes: { max_sequencer_drift?: number } = {},
): Rollup {
  const config = rollupConfig(
    chainInputs({ schedule }),
    { l1: { hash: word('l1-0'), number: 0 }, l2: { hash: word('genesis'), number: 0 } },
    contracts,
  );
  return rollupOf({ ...config, ...changes });
}

/** The genesis block's reference. */
export function genesisRef({ config }: Rollup): L2BlockRef {
  const { l1, l2, l2_time: timestamp } = config.genesis;
  return { ...l2, timestamp, parentHash: `0x${'00'.repeat(32)}`, l1origin: l1, sequenceNumber: 0 };
}

/** An L1 with one block every 2 s, up to `head`. */
export interface ScriptedL1 extends L1Chain {
  head: number;
  /** Blocks from this number on differ from before. */
  reorg(from: number): void;
}

export function scriptedL1(head: number): ScriptedL1 {
  let branch = 0;
  let branchedAt = 0;
  const nameOf = (number: number) => (branch > 0 && number >= branchedAt ? `l1-${number}-${branch}` : `l1-${number}`);
  const header = (number: number): L1Header => ({
    hash: word(nameOf(number)),
    number,
    parentHash: number === 0 ? word('none') : word(nameOf(number - 1)),
    timestamp: GENESIS_TIME + 2 * number,
    mixHash: word('mix'),
    baseFeePerGas: 1n,
    excessBlobGas: 0,
    parentBeaconBlockRoot: word('beacon'),
    requestsHash: word('requests'),
  });
  const allHeaders = () => Array.from({ length: l1.head + 1 }, (_, number) => header(number));
  const l1: ScriptedL1 = {
    head,
    reorg(from) {
      branch++;
      branchedAt = from;
    },
    headerByNumber: async (number) => (number <= l1.head ? header(number) : null),
    headerByHash: async (hash) => allHeaders().find((block) => block.hash === hash) ?? null,
    receipts: async () => [],
    transactions: async () => [],
    blobs: async () => null,
  };
  return l1;
}

/** An engine in memory. It builds blocks from attributes without executing them. */
export interface ScriptedEngine extends EngineClient {
  readonly blocks: Map<Hex, ExecutionPayloadEnvelope>;
  readonly builds: PayloadAttributes[];
  state: ForkchoiceState | undefined;
  /** Errors that the next call of a method throws, once each. */
  readonly failures: { method: keyof EngineClient; error: EngineError }[];
  /** Hashes that the engine reports as invalid. */
  readonly invalid: Set<Hex>;
}

export function scriptedEngine(rollup: Rollup, salt = 0): ScriptedEngine {
  const blocks = new Map<Hex, ExecutionPayloadEnvelope>();
  const builds: PayloadAttributes[] = [];
  const failures: ScriptedEngine['failures'] = [];
  const pending = new Map<Hex, ExecutionPayloadEnvelope>();
  /** Built payloads that the client has read. */
  const payloads = new Map<Hex, ExecutionPayloadEnvelope>();
  const { hash: genesisHash } = rollup.config.genesis.l2;
  const origin = blockOf(rollup, word('none'), 0, genesisAttributes(rollup), 0);
  blocks.set(genesisHash, { ...origin, executionPayload: { ...origin.executionPayload, blockHash: genesisHash } });

  function fail(method: keyof EngineClient): void {
    const at = failures.findIndex((failure) => failure.method === method);
    if (at >= 0) throw failures.splice(at, 1)[0]!.error;
  }

  function numberOf(hash: Hex): number {
    return blocks.get(hash)?.executionPayload.blockNumber ?? -1;
  }

  const engine: ScriptedEngine = {
    blocks,
    builds,
    failures,
    invalid: new Set(),
    state: undefined,
    chainId: async () => rollup.config.l2_chain_id,
    async forkchoice(state) {
      fail('forkchoice');
      if (numberOf(state.headBlockHash) < 0) throw new EngineError('syncing', `no block ${state.headBlockHash}`);
      engine.state = state;
    },
    async startBuild(state, attributes) {
      // Refused attributes do not roll the forkchoice state back (Engine API, forkchoiceUpdated).
      if (failures.some(({ method, error }) => method === 'startBuild' && isEngineError(error, 'attributes')))
        engine.state = state;
      fail('startBuild');
      if (numberOf(state.headBlockHash) < 0) throw new EngineError('syncing', `no block ${state.headBlockHash}`);
      engine.state = state;
      builds.push(attributes);
      const id = `0x${builds.length.toString(16).padStart(16, '0')}` as Hex;
      pending.set(id, blockOf(rollup, state.headBlockHash, numberOf(state.headBlockHash) + 1, attributes, salt));
      return id;
    },
    async getPayload(id) {
      fail('getPayload');
      const envelope = pending.get(id);
      if (!envelope) throw new EngineError('unknown-payload', `no build ${id}`);
      payloads.set(envelope.executionPayload.blockHash, envelope);
      return envelope;
    },
    async newPayload(envelope) {
      fail('newPayload');
      const { blockHash, parentHash } = envelope.executionPayload;
      if (engine.invalid.has(blockHash)) throw new EngineError('invalid', 'called invalid by the test');
      if (numberOf(parentHash) < 0) throw new EngineError('syncing', `no block ${parentHash}`);
      blocks.set(blockHash, envelope);
    },
    payloadByHash: async (hash) => blocks.get(hash) ?? payloads.get(hash) ?? null,
    async payloadByNumber(number) {
      let hash = engine.state?.headBlockHash ?? genesisHash;
      for (let block = blocks.get(hash); block; block = blocks.get(hash)) {
        if (block.executionPayload.blockNumber === number) return block;
        hash = block.executionPayload.parentHash;
      }
      return null;
    },
    payloadBelow: (_: Hex, number: number) => engine.payloadByNumber(number),
    payloadByLabel: async (_: EngineLabel) => null,
    receipts: async () => [],
    storageRoot: async () => word('storage'),
    close: () => {},
  };
  return engine;
}

/** Builds a chain on a block; another salt gives other blocks. */
export async function chainOf(
  rollup: Rollup,
  length: number,
  salt = 0,
  parent: L2BlockRef = genesisRef(rollup),
  upon: readonly ExecutionPayloadEnvelope[] = [],
): Promise<ExecutionPayloadEnvelope[]> {
  const engine = scriptedEngine(rollup, salt);
  for (const block of upon) engine.blocks.set(block.executionPayload.blockHash, block);
  const genesis = rollup.config.genesis.l2;
  const l1 = scriptedL1(100);
  const blocks: ExecutionPayloadEnvelope[] = [];
  let head = parent;
  for (let count = 0; count < length; count++) {
    const origin = { hash: head.l1origin.hash, number: head.l1origin.number };
    const attributes = await prepareAttributes(rollup, l1, engine, head, origin);
    const state = { headBlockHash: head.hash, safeBlockHash: genesis.hash, finalizedBlockHash: genesis.hash };
    const block = await engine.getPayload(await engine.startBuild(state, attributes), 0);
    await engine.newPayload(block);
    blocks.push(block);
    head = blockRefOf(rollup, block.executionPayload);
  }
  return blocks;
}

function genesisAttributes({ config }: Rollup): PayloadAttributes {
  return {
    timestamp: BigInt(config.genesis.l2_time),
    prevRandao: word('mix'),
    suggestedFeeRecipient: '0x4200000000000000000000000000000000000011',
    parentBeaconBlockRoot: word('beacon'),
    transactions: [],
    noTxPool: true,
    gasLimit: BigInt(config.genesis.system_config.gasLimit),
  };
}

function blockOf(
  rollup: Rollup,
  parentHash: Hex,
  blockNumber: number,
  attributes: PayloadAttributes,
  salt: number,
): ExecutionPayloadEnvelope {
  const rules = rollup.rulesAt(attributes.timestamp);
  const root = rules.header.beaconRoot ? attributes.parentBeaconBlockRoot : undefined;
  const payload: ExecutionPayload = {
    parentHash,
    feeRecipient: attributes.suggestedFeeRecipient,
    stateRoot: word(`state-${salt}`),
    receiptsRoot: word('receipts'),
    logsBloom: `0x${'00'.repeat(256)}`,
    prevRandao: attributes.prevRandao,
    blockNumber,
    gasLimit: attributes.gasLimit,
    gasUsed: 21_000n,
    timestamp: attributes.timestamp,
    extraData: rules.extraData.encode(
      { denominator: 0, elasticity: 0, minBaseFee: 0 },
      rules.eip1559.constants(rollup.config.chain_op_config),
    ),
    baseFeePerGas: 1n,
    blockHash: word('none'),
    transactions: attributes.transactions,
    ...(rules.header.withdrawalsRoot === 'absent' ? {} : { withdrawals: [] as const }),
    ...(rules.header.beaconRoot ? { blobGasUsed: 0n, excessBlobGas: 0n } : {}),
    ...(rules.header.withdrawalsRoot === 'message-passer' ? { withdrawalsRoot: word('passer') } : {}),
  };
  const envelope = { executionPayload: payload, ...(root === undefined ? {} : { parentBeaconBlockRoot: root }) };
  return { ...envelope, executionPayload: { ...payload, blockHash: payloadBlockHash(envelope, rules) } };
}
