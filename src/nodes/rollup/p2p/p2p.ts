import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { VERSION } from '../../../system/program/common-options.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { BlockSigner } from '../../gossip/message/signature.ts';
import type { NetworkDiscovery, PeerNetwork, PeerNetworkOptions } from '../../gossip/peer-network.ts';
import type { Metricer } from '../metrics/metricer.ts';
import type { RollupNodeOptions } from '../options/index.ts';
import { openBlockSigner } from './block-signer.ts';
import { readOrCreateKey } from './key.ts';
import type { RuntimeConfig } from './runtime-config.ts';

/** Maximum number of blocks that wait until the network has started. Peers request older ones. */
const MAX_EARLY_BLOCKS = 8;

/** Settings of the network, and the parts that it works with. */
export interface NodeP2POptions {
  readonly options: RollupNodeOptions;
  readonly rollup: Rollup;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly runtime: RuntimeConfig;
  readonly meter: Metricer;
  readonly onBlock: (envelope: ExecutionPayloadEnvelope) => void;
  readonly payloadByNumber: (number: number) => Promise<ExecutionPayloadEnvelope | null>;
}

/**
 * The node's peer-to-peer network in every state: starting, running, or disabled (op-node: `NodeP2P`).
 * Its code is loaded by `start`, and never if the network is disabled.
 */
export class NodeP2P {
  readonly #context: NodeP2POptions;
  #starting: Promise<void> | undefined;
  #network: PeerNetwork | undefined;
  #signer: BlockSigner | undefined;
  /** The signer in force that the last warning was about. */
  #reportedSigner: Hex | undefined;
  /** Blocks sealed before the network had started. */
  readonly #early: ExecutionPayloadEnvelope[] = [];

  /** Creates the network without starting it. */
  constructor(context: NodeP2POptions) {
    this.#context = context;
  }

  /** undefined until it has started, and if it is disabled. */
  network(): PeerNetwork | undefined {
    return this.#network;
  }

  /** Starts the network. Rejects if it cannot start. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => {});
    await this.#network?.stop();
  }

  async request(number: number, hash: Hex): Promise<ExecutionPayloadEnvelope | null> {
    return (await this.#network?.request(number, hash)) ?? null;
  }

  /**
   * Signs and gossips a block (op-node: `SimpleAsyncGossiper`, `PublishL2Payload`).
   * Does nothing without a network or a key.
   */
  publish(envelope: ExecutionPayloadEnvelope): void {
    const { options, clock, log, meter } = this.#context;
    if (!this.#network) {
      if (!options.p2pDisable) this.#early.push(envelope);
      if (this.#early.length > MAX_EARLY_BLOCKS) this.#early.shift();
      return;
    }
    const { blockNumber: number, timestamp } = envelope.executionPayload;
    if (Number(timestamp) * 1000 < clock.now() - options.p2pTimestampThreshold) {
      log.debug('a block that peers would call too old is not gossiped', { number });
      return;
    }
    this.#gossip(this.#network, envelope).then(
      (recipients) => log.debug('gossiped a block', { number, recipients }),
      (error: unknown) => {
        meter.recordPublishingError();
        log.warn('cannot gossip a block', { number, error });
      },
    );
  }

  async #start(): Promise<void> {
    const { options, log, signal } = this.#context;
    if (options.p2pDisable) return;
    const key = readOrCreateKey(options.p2pPrivPath);
    const [{ startPeerNetwork }, signer] = await Promise.all([
      import('../../gossip/network.ts'),
      openBlockSigner(options, log),
    ]);
    this.#signer = signer;
    const network = await startPeerNetwork(networkOptions(this.#context, key));
    if (signal.aborted) return network.stop();
    this.#network = network;
    for (const envelope of this.#early.splice(0)) this.publish(envelope);
    log.info('p2p listens', { peer: network.peerId, port: network.port });
  }

  async #gossip(network: PeerNetwork, envelope: ExecutionPayloadEnvelope): Promise<number> {
    if (!this.#signer) return 0;
    this.#warnOfOtherSigner(this.#signer.address);
    return network.publish(envelope, this.#signer);
  }

  /** Warns once per signer in force: peers reject blocks that another key signed. */
  #warnOfOtherSigner(ours: Hex): void {
    const { runtime, log } = this.#context;
    const expected = runtime.unsafeBlockSigner();
    if (expected === undefined || expected === ours || expected === this.#reportedSigner) return;
    this.#reportedSigner = expected;
    log.warn('peers will refuse our blocks: the system config on L1 names another signer than ours', {
      ours,
      expected,
    });
  }
}

/** Returns the settings of the network by the node's options. */
function networkOptions(context: NodeP2POptions, key: Uint8Array): PeerNetworkOptions {
  const { options, runtime } = context;
  return {
    ...context,
    key,
    userAgent: `rollup-node/${VERSION}`,
    listenIp: options.p2pListenIp,
    listenPort: options.p2pListenTcp,
    advertise:
      options.p2pAdvertiseIp === undefined
        ? undefined
        : { ip: options.p2pAdvertiseIp, port: options.p2pAdvertiseTcp || options.p2pListenTcp },
    nat: options.p2pNat ? { gateway: options.p2pNatGateway } : undefined,
    discovery: options.p2pNoDiscovery ? undefined : discoveryOptions(options),
    staticPeers: options.p2pStatic,
    netRestrict: options.p2pNetRestrict,
    peerLimits: { high: options.p2pPeersHi, low: options.p2pPeersLo, graceMs: options.p2pPeersGrace },
    storePath: options.p2pPeerstorePath === 'memory' ? undefined : options.p2pPeerstorePath,
    isScoring: options.p2pScoring === 'light',
    ban: options.p2pBanPeers ? { threshold: options.p2pBanThreshold, durationMs: options.p2pBanDuration } : undefined,
    maxAgeMs: options.p2pTimestampThreshold,
    requests: options.p2pSyncReqResp ? { onlyStatic: options.p2pSyncOnlyStatic } : undefined,
    unsafeBlockSigner: () => runtime.unsafeBlockSigner(),
    signerKnown: runtime.firstLoad,
  };
}

function discoveryOptions(options: RollupNodeOptions): NetworkDiscovery {
  return {
    udpPort: options.p2pListenUdp,
    advertise: {
      ...(options.p2pAdvertiseIp === undefined ? {} : { ip: options.p2pAdvertiseIp }),
      ...(options.p2pAdvertiseTcp === 0 ? {} : { tcp: options.p2pAdvertiseTcp }),
      ...(options.p2pAdvertiseUdp === 0 ? {} : { udp: options.p2pAdvertiseUdp }),
    },
    bootnodes: options.p2pBootnodes,
    path: options.p2pDiscoveryPath === 'memory' ? undefined : options.p2pDiscoveryPath,
  };
}
