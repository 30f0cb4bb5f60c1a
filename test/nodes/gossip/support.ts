import { banBook } from '../../../src/nodes/gossip/host/bans.ts';
import type { PeerLimits } from '../../../src/nodes/gossip/host/connection-manager.ts';
import { createGater } from '../../../src/nodes/gossip/host/gater.ts';
import { type Host, startHost } from '../../../src/nodes/gossip/host/host.ts';
import { NO_METER } from '../../../src/nodes/gossip/host/meter.ts';
import { startPeerNetwork } from '../../../src/nodes/gossip/network.ts';
import type { NetworkDiscovery, PeerNetwork } from '../../../src/nodes/gossip/peer-network.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope } from '../../../src/protocol/types.ts';
import { type Clock, wallClock } from '../../../src/system/time/clock.ts';
import { CHAIN_ID, keyNamed, signer, silent } from './blocks.ts';

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
