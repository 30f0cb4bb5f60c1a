import type { Hex } from '../../../protocol/types.ts';
import { httpGet } from '../../../rpc/http-rest.ts';

/** A blob with what proves it, as the beacon API answers it. */
export interface BlobSidecar {
  readonly blob: Hex;
  readonly commitment: Hex;
  readonly proof: Hex;
}

/** One beacon node. */
export interface BeaconClient {
  readonly url: string;
  version(): Promise<string>;
  /** The slot of an L1 block by its timestamp in seconds. */
  slotOf(timestamp: number): Promise<number>;
  /** The blobs of a slot's block with these indices, or all; null where the node has none of them (any more). */
  sidecars(slot: number, indices: readonly number[] | 'all'): Promise<readonly BlobSidecar[] | null>;
}

export interface BeaconOptions {
  /** `Name: Value`, sent with each request. */
  readonly header?: string | undefined;
  /** Asks for all blobs of a slot, for nodes that cannot pick. */
  readonly fetchAll?: boolean;
  /** Seconds of a slot; 0: as the node says. */
  readonly slotDuration?: number;
}

/** An answer that cannot be used. */
export class BeaconError extends Error {
  readonly url: string;

  constructor(url: string, message: string, cause?: unknown) {
    super(`beacon node ${new URL(url).host}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'BeaconError';
    this.url = url;
  }
}

const TIMEOUT_MS = 10_000;
/** Most bytes of an answer: 72 blobs as hex with their proofs, and room. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** A client of the beacon API. */
export function beaconClient(url: string, options: BeaconOptions = {}): BeaconClient {
  const { header, fetchAll = false, slotDuration = 0 } = options;
  const headers = {
    accept: 'application/json',
    ...(header === undefined ? {} : Object.fromEntries([splitHeader(header)])),
  };
  let timing: Promise<{ genesis: number; secondsPerSlot: number }> | undefined;

  async function get(path: string): Promise<Record<string, unknown> | null> {
    try {
      const address = new URL(path, url.endsWith('/') ? url : url + '/').href;
      const { status, text } = await httpGet(address, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER });
      if (status === 404) return null;
      if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 200)}`);
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      throw new BeaconError(url, `GET ${path} failed`, error);
    }
  }

  async function readTiming() {
    const [genesis, spec] = await Promise.all([
      get('eth/v1/beacon/genesis'),
      slotDuration > 0 ? { data: { SECONDS_PER_SLOT: slotDuration } } : get('eth/v1/config/spec'),
    ]);
    const time = Number((genesis?.['data'] as Record<string, unknown> | undefined)?.['genesis_time']);
    const seconds = Number((spec?.['data'] as Record<string, unknown> | undefined)?.['SECONDS_PER_SLOT']);
    if (!Number.isSafeInteger(time) || !(seconds > 0))
      throw new BeaconError(url, 'tells no genesis_time or SECONDS_PER_SLOT');
    return { genesis: time, secondsPerSlot: seconds };
  }

  return {
    url,
    async version() {
      const answer = await get('eth/v1/node/version');
      const version = (answer?.['data'] as Record<string, unknown> | undefined)?.['version'];
      if (typeof version !== 'string') throw new BeaconError(url, 'tells no version: is it a beacon node?');
      return version;
    },
    async slotOf(timestamp) {
      timing ??= readTiming().catch((error: unknown) => {
        timing = undefined;
        throw error;
      });
      const { genesis, secondsPerSlot } = await timing;
      if (timestamp < genesis)
        throw new BeaconError(url, `L1 time ${timestamp} is before the beacon genesis ${genesis}`);
      return Math.floor((timestamp - genesis) / secondsPerSlot);
    },
    async sidecars(slot, indices) {
      const query = fetchAll || indices === 'all' ? '' : `?${indices.map((index) => `indices=${index}`).join('&')}`;
      const answer = await get(`eth/v1/beacon/blob_sidecars/${slot}${query}`);
      if (answer === null || !Array.isArray(answer['data'])) return null;
      return (answer['data'] as Record<string, unknown>[]).map((sidecar) => ({
        blob: sidecar['blob'] as Hex,
        commitment: sidecar['kzg_commitment'] as Hex,
        proof: sidecar['kzg_proof'] as Hex,
      }));
    },
  };
}

function splitHeader(header: string): [string, string] {
  const at = header.indexOf(':');
  return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
}
