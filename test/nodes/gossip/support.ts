import { createHash } from 'node:crypto';
import { banBook } from '../../../src/nodes/gossip/host/bans.ts';
import type { PeerLimits } from '../../../src/nodes/gossip/host/connection-manager.ts';
import { createGater } from '../../../src/nodes/gossip/host/gater.ts';
import { type Host, startHost } from '../../../src/nodes/gossip/host/host.ts';
import { NO_METER } from '../../../src/nodes/gossip/host/meter.ts';
import { keySigner } from '../../../src/nodes/gossip/message/signature.ts';
import { startPeerNetwork } from '../../../src/nodes/gossip/network.ts';
import type { NetworkDiscovery, PeerNetwork } from '../../../src/nodes/gossip/peer-network.ts';
import { payloadBlockHash } from '../../../src/protocol/codec/payload-header.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { ForkSchedule } from '../../../src/protocol/forks/index.ts';
import type { ExecutionPayload, ExecutionPayloadEnvelope, Hex, RollupConfig } from '../../../src/protocol/types.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { type Clock, wallClock } from '../../../src/system/time/clock.ts';
import { upTo } from '../../protocol/genesis/inputs.ts';

export const silent = createLogger({ level: 'silent', format: 'text', color: false, pid: false });
export const CHAIN_ID = 901;
const word = (byte: string) => `0x${byte.repeat(32)}` as Hex;
const zero = word('00');

/** A rollup with only what gossip needs: chain, times and forks. */
export function rollupAt(genesisTime: number, schedule: ForkSchedule = upTo('jovian')): Rollup {
  const config = {
    genesis: { l1: { hash: zero, number: 0 }, l2: { hash: zero, number: 0 }, l2_time: genesisTime },
    block_time: 2,
    l2_chain_id: CHAIN_ID,
  } as unknown as RollupConfig;
  return rollupOf(config, { schedule });
}

/** Returns a well-formed block with the given changes; its hash is right unless it is one of them. */
export function blockOf(
  rollup: Rollup,
  timestamp: number,
  changes: Partial<ExecutionPayload> & { parentBeaconBlockRoot?: Hex } = {},
): ExecutionPayloadEnvelope {
  const rules = rollup.rulesAt(timestamp);
  const { parentBeaconBlockRoot = word('0b'), ...fields } = changes;
  const { config } = rollup;
  const payload: ExecutionPayload = {
    parentHash: word('01'),
    feeRecipient: '0x4200000000000000000000000000000000000011',
    stateRoot: word('02'),
    receiptsRoot: word('03'),
    logsBloom: `0x${'00'.repeat(256)}`,
    prevRandao: word('04'),
    blockNumber: Math.round((timestamp - config.genesis.l2_time) / config.block_time),
    gasLimit: 30_000_000n,
    gasUsed: 21_000n,
    timestamp: BigInt(timestamp),
    extraData: '0x0100000000fa000000060000000000000000',
    baseFeePerGas: 1_000_000_000n,
    blockHash: zero,
    transactions: ['0x7e01', '0x02aa'],
    ...(rules.header.withdrawalsRoot === 'absent' ? {} : { withdrawals: [] as const }),
    ...(rules.header.beaconRoot ? { blobGasUsed: 0n, excessBlobGas: 0n } : {}),
    ...(rules.header.withdrawalsRoot === 'message-passer' ? { withdrawalsRoot: word('05') } : {}),
    ...fields,
  };
  const envelope: ExecutionPayloadEnvelope = {
    executionPayload: payload,
    ...(rules.header.beaconRoot ? { parentBeaconBlockRoot } : {}),
  };
  if (changes.blockHash !== undefined) return envelope;
  return { ...envelope, executionPayload: { ...payload, blockHash: payloadBlockHash(envelope, rules) } };
}

/** Returns a key by name. */
export function keyNamed(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}

export const signer = keySigner(keyNamed('sequencer'));

/** Starts a peer network: real libp2p on a port of its own. */
export interface TestPeer extends AsyncDisposable {
  readonly network: PeerNetwork;
  readonly received: ExecutionPayloadEnvelope[];
  readonly blocks: Map<number, ExecutionPayloadEnvelope>;
  address(): string;
}

export async function startPeer(
  name: string,
  rollup: Rollup,
  options: {
    staticPeers?: string[];
    netRestrict?: string[];
    port?: number;
    advertise?: { ip: string; port: number };
    requests?: { onlyStatic: boolean };
    signerKnown?: Promise<void>;
    clock?: Clock;
    peerLimits?: PeerLimits;
    discovery?: NetworkDiscovery;
    storePath?: string;
    ban?: { threshold: number; durationMs: number };
    onBlock?: (envelope: ExecutionPayloadEnvelope) => void;
  } = {},
): Promise<TestPeer> {
  const stopping = new AbortController();
  let isSignerKnown = options.signerKnown === undefined;
  const signerKnown = (options.signerKnown ?? Promise.resolve()).then(() => {
    isSignerKnown = true;
  });
  const received: ExecutionPayloadEnvelope[] = [];
  const blocks = new Map<number, ExecutionPayloadEnvelope>();
  const network = await startPeerNetwork({
    rollup,
    clock: options.clock ?? wallClock(),
    log: silent,
    signal: stopping.signal,
    key: keyNamed(name),
    userAgent: `test/${name}`,
    listenIp: '127.0.0.1',
    listenPort: options.port ?? 0,
    advertise: options.advertise,
    nat: undefined,
    discovery: options.discovery,
    staticPeers: options.staticPeers ?? [],
    netRestrict: options.netRestrict ?? [],
    peerLimits: options.peerLimits ?? { low: 20, high: 30, graceMs: 30_000 },
    storePath: options.storePath,
    meter: NO_METER,
    isScoring: true,
    ban: options.ban ?? { threshold: -100, durationMs: 60_000 },
    maxAgeMs: 60_000,
    requests: options.requests ?? { onlyStatic: false },
    unsafeBlockSigner: () => (isSignerKnown ? signer.address : undefined),
    signerKnown,
    onBlock(envelope) {
      received.push(envelope);
      options.onBlock?.(envelope);
    },
    payloadByNumber: async (number) => blocks.get(number) ?? null,
  });
  return {
    network,
    received,
    blocks,
    address: () => network.self().addresses[0] as string,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await network.stop();
    },
  };
}

/** Starts a foreign libp2p without scoring and validation. */
export function rawHost(name: string, { chainId = CHAIN_ID, listenIp = '127.0.0.1' } = {}): Promise<Host> {
  return startHost({
    key: keyNamed(name),
    chainId,
    listenIp,
    listenPort: 0,
    advertise: undefined,
    maxConnections: 100,
    scoring: undefined,
    userAgent: `raw/${name}`,
    gater: createGater({
      within: [],
      blocked: { peers: [], addresses: [], subnets: [] },
      bans: banBook([], () => {}),
      meter: NO_METER,
      onChange: () => {},
    }),
  });
}

/** Waits for a condition. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
