import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { readPrivateKey } from '../../../system/crypto/key-file.ts';
import { VERSION } from '../../../system/program/common-options.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { BlockSigner } from '../../gossip/message/signature.ts';
import type { PeerNetwork } from '../../gossip/peer-network.ts';
import type { Metricer } from '../metrics/metricer.ts';
import type { RollupNodeOptions } from '../options/index.ts';
import { keyOf, readOrCreateKey } from './key.ts';
import type { RuntimeConfig } from './runtime-config.ts';

/** Maximum number of blocks kept until the network has started. Peers request older ones. */
const MAX_EARLY = 8;

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

/** The node's peer-to-peer network in every state: starting, running, or disabled (op-node: `NodeP2P`). */
export interface NodeP2P {
  /** undefined until it has started, and where it is disabled. */
  network(): PeerNetwork | undefined;
  /**
   * Signs and gossips a block (op-node: `SimpleAsyncGossiper`, `PublishL2Payload`).
   * Does nothing without a network or a key.
   */
  publish(envelope: ExecutionPayloadEnvelope): void;
  request(number: number, hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  /** Starts the network. Rejects where it cannot start. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the network without starting it. Its code is loaded by `start`, and never where the network is disabled. */
export function createNodeP2P(context: NodeP2POptions): NodeP2P {
  const { options, log, signal } = context;
  let network: PeerNetwork | undefined;
  let signer: BlockSigner | undefined;
  let warnedOf: Hex | undefined;
  /** Blocks sealed before the network had started. */
  const early: ExecutionPayloadEnvelope[] = [];

  let starting: Promise<void> | undefined;

  async function start(): Promise<void> {
    if (options.p2pDisable) return;
    const key = readOrCreateKey(options.p2pPrivPath);
    const [{ startPeerNetwork }, { keySigner }] = await Promise.all([
      import('../../gossip/network.ts'),
      import('../../gossip/message/signature.ts'),
    ]);
    if (options.p2pSequencerKey !== undefined) signer = keySigner(keyOf(options.p2pSequencerKey));
    else if (options.p2pSequencerKeyPath !== undefined) signer = keySigner(readPrivateKey(options.p2pSequencerKeyPath));
    else if (options.signerEndpoint !== undefined && options.signerAddress !== undefined)
      signer = await openRemoteSigner(options.signerEndpoint, options.signerAddress);
    else if (options.sequencerEnabled)
      log.warn('no --p2p.sequencer.key.path and no --signer.endpoint: sequenced blocks are not gossiped');
    const started = await startPeerNetwork({
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
      discovery: options.p2pNoDiscovery
        ? undefined
        : {
            udpPort: options.p2pListenUdp,
            advertise: {
              ...(options.p2pAdvertiseIp === undefined ? {} : { ip: options.p2pAdvertiseIp }),
              ...(options.p2pAdvertiseTcp === 0 ? {} : { tcp: options.p2pAdvertiseTcp }),
              ...(options.p2pAdvertiseUdp === 0 ? {} : { udp: options.p2pAdvertiseUdp }),
            },
            bootnodes: options.p2pBootnodes,
            path: options.p2pDiscoveryPath === 'memory' ? undefined : options.p2pDiscoveryPath,
          },
      staticPeers: options.p2pStatic,
      netRestrict: options.p2pNetRestrict,
      peerLimits: { high: options.p2pPeersHi, low: options.p2pPeersLo, graceMs: options.p2pPeersGrace },
      storePath: options.p2pPeerstorePath === 'memory' ? undefined : options.p2pPeerstorePath,
      meter: context.meter,
      isScoring: options.p2pScoring === 'light',
      ban: options.p2pBanPeers ? { threshold: options.p2pBanThreshold, durationMs: options.p2pBanDuration } : undefined,
      maxAgeMs: options.p2pTimestampThreshold,
      requests: options.p2pSyncReqResp ? { onlyStatic: options.p2pSyncOnlyStatic } : undefined,
      unsafeBlockSigner: () => context.runtime.unsafeBlockSigner(),
      signerKnown: context.runtime.known,
    });
    if (signal.aborted) return started.stop();
    network = started;
    for (const envelope of early.splice(0)) publish(envelope);
    log.info('p2p listens', { peer: started.peerId, port: started.port });
  }

  /** Opens the remote signer of the options (op-node: `LoadSignerSetup`, `initP2PSigner`). */
  async function openRemoteSigner(endpoint: string, address: string): Promise<BlockSigner> {
    const { remoteSigner } = await import('./remote-signer.ts');
    return remoteSigner({
      log,
      endpoint,
      address,
      headers: Object.fromEntries(
        options.signerHeader.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
      ),
      tls: options.signerTls ? { ca: options.signerCa, cert: options.signerCert, key: options.signerKey } : undefined,
    });
  }

  function publish(envelope: ExecutionPayloadEnvelope): void {
    if (!network) {
      if (!options.p2pDisable) early.push(envelope);
      if (early.length > MAX_EARLY) early.shift();
      return;
    }
    const { blockNumber: number, timestamp } = envelope.executionPayload;
    if (Number(timestamp) * 1000 < context.clock.now() - options.p2pTimestampThreshold) {
      log.debug('a block that peers would call too old is not gossiped', { number });
      return;
    }
    gossip(network, envelope).then(
      (recipients) => log.debug('gossiped a block', { number, recipients }),
      (error: unknown) => {
        context.meter.recordPublishingError();
        log.warn('cannot gossip a block', { number, error });
      },
    );
  }

  async function gossip(to: PeerNetwork, envelope: ExecutionPayloadEnvelope): Promise<number> {
    if (!signer) return 0;
    warnOfOtherSigner(signer.address);
    return to.publish(envelope, signer);
  }

  /** Warns once per signer in force: peers reject blocks that another key signed. */
  function warnOfOtherSigner(own: Hex): void {
    const expected = context.runtime.unsafeBlockSigner();
    if (expected === undefined || expected === own || expected === warnedOf) return;
    warnedOf = expected;
    log.warn('peers will refuse our blocks: the system config on L1 names another signer than ours', {
      ours: own,
      expected,
    });
  }

  return {
    network: () => network,
    publish,
    request: async (number, hash) => (await network?.request(number, hash)) ?? null,
    start() {
      starting ??= start();
      return starting;
    },
    async stop() {
      await starting?.catch(() => {});
      await network?.stop();
    },
  };
}
