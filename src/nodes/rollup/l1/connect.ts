import type { RpcClient } from '../../../rpc/client.ts';
import { httpClient } from '../../../rpc/http-client.ts';
import { type WebSocketRpcClient, webSocketClient } from '../../../rpc/websocket-client.ts';
import { backoff } from '../../../system/backoff.ts';
import type { Logger } from '../../../system/log.ts';
import { pause } from '../../../system/pause.ts';
import { loadKzgVerifier } from '../../shared/kzg/kzg.ts';
import { beaconClient } from './beacon-client.ts';
import { type BlobSource, blobSource } from './blobs.ts';
import { type L1Client, l1Client } from './client.ts';
import type { ReceiptKind } from './receipts.ts';
import { limitedRequests } from './requests.ts';

export interface L1ConnectionOptions {
  readonly url: string;
  readonly maxBatch: number;
  readonly maxConcurrency: number;
  readonly rateLimit: number;
  readonly cacheSize: number;
  readonly trusted: boolean;
  readonly kind: ReceiptKind;
  readonly beacons: readonly string[];
  readonly beaconHeader: string | undefined;
  /** All blobs of a slot are asked for and the wanted ones picked here. */
  readonly fetchAllSidecars?: boolean;
  /** Seconds of an L1 slot; 0: as the beacon node says. */
  readonly slotDuration?: number;
  /** Told of each request: seconds that it took, waiting for its turn included. */
  readonly onRequest?: (method: string, seconds: number, error: unknown) => void;
  readonly log: Logger;
}

/** L1 and its beacon nodes, by their clients. */
export interface L1Connection {
  readonly client: L1Client;
  /** Present where the endpoint can push heads. */
  readonly socket: WebSocketRpcClient | undefined;
  readonly blobs: BlobSource;
  /** Blocks that may be read before they are wanted, and will still be kept when they are. */
  readonly ahead: number;
  /** Resolves when the beacon node answers, rejects where it did not in five attempts. Without one: at once. */
  beaconAnswers(signal: AbortSignal, pauseMs?: number): Promise<void>;
  close(): void;
}

/** Blocks that are read before derivation comes to them. */
const AHEAD = 8;

/** How often a starting node asks a beacon node for its version, and the first pause in milliseconds, which doubles: as op-node does. */
const BEACON_ATTEMPTS = 5;
const BEACON_PAUSE = 1_000;

/** Opens nothing yet: each client connects with its first request. */
export function connectL1(options: L1ConnectionOptions): L1Connection {
  const { url, log } = options;
  const socket = /^wss?:/.test(url) ? webSocketClient({ url }) : undefined;
  const rpc: RpcClient = socket ?? httpClient({ url });
  const request = limitedRequests(rpc, {
    maxBatch: options.maxBatch,
    maxConcurrency: options.maxConcurrency,
    ratePerSecond: options.rateLimit,
    ...(options.onRequest && { onRequest: options.onRequest }),
  });
  const beacons = options.beacons.map((beacon) =>
    beaconClient(beacon, {
      header: options.beaconHeader,
      fetchAll: options.fetchAllSidecars ?? false,
      slotDuration: options.slotDuration ?? 0,
    }),
  );
  return {
    client: l1Client({ request, cacheSize: options.cacheSize, trusted: options.trusted, kind: options.kind }),
    socket,
    ahead: Math.min(AHEAD, Math.floor(options.cacheSize / 2)),
    // Proofs are checked with elliptic-curve pairings, whose code is loaded by the first blob.
    blobs: blobSource(beacons, verifyBlob, log),
    async beaconAnswers(signal, pauseMs = BEACON_PAUSE) {
      const [first] = beacons;
      if (!first) return;
      const pauses = backoff(pauseMs, Number.POSITIVE_INFINITY);
      for (let attempt = 1; !signal.aborted; attempt++) {
        try {
          log.info('beacon node answers', { version: await first.version() });
          return;
        } catch (error) {
          if (attempt === BEACON_ATTEMPTS) throw error;
          log.debug('the beacon node does not answer, trying again', { attempt, error });
          await pause(pauses.next(), signal);
        }
      }
    },
    close: () => rpc.close(),
  };
}

/** A malformed commitment or proof is as wrong as one that does not hold. */
async function verifyBlob(...parts: [blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array]): Promise<boolean> {
  const kzg = await loadKzgVerifier();
  try {
    return kzg.verifyBlob(...parts);
  } catch {
    return false;
  }
}
