import type { RpcClient } from '../../../rpc/client/client.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { type WebSocketRpcClient, webSocketClient } from '../../../rpc/client/websocket-client.ts';
import type { Logger } from '../../../system/program/log.ts';
import { backoff } from '../../../system/time/backoff.ts';
import { pause } from '../../../system/time/pause.ts';
import { loadKzgVerifier } from '../../kzg/kzg.ts';
import { beaconClient } from './beacon-client.ts';
import { type BlobSource, blobSource } from './blobs.ts';
import { L1Client } from './client.ts';
import type { ReceiptKind } from './receipts.ts';
import { limitedRequests } from './requests.ts';

/** Settings of the clients (op-node: `L1EndpointConfig`, `L1BeaconEndpointConfig`). */
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
  /** Requests all blobs of a slot and filters them here. */
  readonly fetchAllSidecars?: boolean;
  /** Seconds of an L1 slot; 0: as the beacon node reports. */
  readonly slotDuration?: number;
  /** Called for each request with its duration in seconds, time in the queue included. */
  readonly onRequest?: (method: string, seconds: number, error: unknown) => void;
  readonly log: Logger;
}

/** Clients of L1 and of its beacon nodes. */
export interface L1Connection {
  readonly client: L1Client;
  /** Present if the endpoint supports subscriptions. */
  readonly socket: WebSocketRpcClient | undefined;
  readonly blobs: BlobSource;
  /** Blocks that may be fetched in advance and stay cached until they are read. */
  readonly ahead: number;
  /**
   * Resolves once the beacon node answers, or at once without one (op-node: `initL1BeaconAPI`).
   * Rejects after five attempts.
   */
  beaconAnswers(signal: AbortSignal, pauseMs?: number): Promise<void>;
  close(): void;
}

/** Blocks fetched ahead of derivation. */
const MAX_PREFETCHED_BLOCKS = 8;

/** Attempts to read a beacon node's version at the start, as many as op-node's. */
const BEACON_ATTEMPTS = 5;
/** First pause (ms) between two of them. It doubles. */
const BEACON_PAUSE_MS = 1_000;

/** Creates the clients. Each connects with its first request. */
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
    client: new L1Client({ request, cacheSize: options.cacheSize, trusted: options.trusted, kind: options.kind }),
    socket,
    ahead: Math.min(MAX_PREFETCHED_BLOCKS, Math.floor(options.cacheSize / 2)),
    // The code that verifies proofs is loaded with the first blob.
    blobs: blobSource(beacons, verifyBlob, log),
    async beaconAnswers(signal, pauseMs = BEACON_PAUSE_MS) {
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

/** Verifies a blob's proof with the library, which is loaded at the first blob. */
async function verifyBlob(...parts: [blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array]): Promise<boolean> {
  return (await loadKzgVerifier()).verifyBlob(...parts);
}
