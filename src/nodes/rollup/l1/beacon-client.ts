import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { httpGet } from '../../../rpc/client/http-rest.ts';
import { jsonField } from '../../../rpc/json-object.ts';

/** A blob with its commitment and proof, as the beacon API returns it (op-service: `BlobSidecar`). */
export interface BlobSidecar {
  readonly blob: Hex;
  readonly commitment: Hex;
  readonly proof: Hex;
}

/** A client of one beacon node (op-service: `BeaconHTTPClient`, kona: `OnlineBeaconClient`). */
export interface BeaconClient {
  readonly url: string;
  /** Returns the version of the node (op-service: `NodeVersion`). */
  version(): Promise<string>;
  /** Returns the slot of an L1 block by its timestamp in seconds (op-service: `GetTimeToSlotFn`). */
  slotOf(timestamp: number): Promise<number>;
  /**
   * Returns the blobs of a slot at these indices, or all (op-service: `BeaconBlobSideCars`).
   * Returns null if the node has none (any more).
   */
  sidecars(slot: number, indices: readonly number[] | 'all'): Promise<readonly BlobSidecar[] | null>;
}

/** Settings of the client (op-service: `L1BeaconClientConfig`). */
export interface BeaconOptions {
  /** `Name: Value`, sent with each request. */
  readonly header?: string | undefined;
  /** Requests all blobs of a slot, for nodes that ignore indices. */
  readonly fetchAll?: boolean;
  /** Seconds of a slot; 0: as the node reports. */
  readonly slotDuration?: number;
}

/** An unusable answer of a beacon node. */
export class BeaconError extends Error {
  readonly url: string;

  constructor(url: string, message: string, cause?: unknown) {
    super(`beacon node ${new URL(url).host}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'BeaconError';
    this.url = url;
  }
}

const TIMEOUT_MS = 10_000;
/** Maximum bytes of an answer: more than 72 blobs as hex with their proofs. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Creates a client of the beacon API. */
export function beaconClient(url: string, options: BeaconOptions = {}): BeaconClient {
  const { header, fetchAll = false, slotDuration = 0 } = options;
  const headers = {
    accept: 'application/json',
    ...(header === undefined ? {} : Object.fromEntries([splitHeader(header)])),
  };
  let timing: Promise<{ genesis: number; secondsPerSlot: number }> | undefined;

  async function get(path: string): Promise<unknown> {
    try {
      const address = new URL(path, url.endsWith('/') ? url : url + '/').href;
      const { status, text } = await httpGet(address, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER });
      if (status === 404) return null;
      if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 200)}`);
      return JSON.parse(text);
    } catch (error) {
      throw new BeaconError(url, `GET ${path} failed`, error);
    }
  }

  async function readTiming() {
    const [genesis, spec] = await Promise.all([
      get('eth/v1/beacon/genesis'),
      slotDuration > 0 ? { data: { SECONDS_PER_SLOT: slotDuration } } : get('eth/v1/config/spec'),
    ]);
    const time = Number(jsonField(jsonField(genesis, 'data'), 'genesis_time'));
    const seconds = Number(jsonField(jsonField(spec, 'data'), 'SECONDS_PER_SLOT'));
    if (!Number.isSafeInteger(time) || !(seconds > 0))
      throw new BeaconError(url, 'tells no genesis_time or SECONDS_PER_SLOT');
    return { genesis: time, secondsPerSlot: seconds };
  }

  return {
    url,
    async version() {
      const answer = await get('eth/v1/node/version');
      const version = jsonField(jsonField(answer, 'data'), 'version');
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
      const sidecars = jsonField(answer, 'data');
      if (!Array.isArray(sidecars)) return null;
      const hex = (sidecar: unknown, name: string) => lowerHex(String(jsonField(sidecar, name)));
      return sidecars.map((sidecar) => ({
        blob: hex(sidecar, 'blob'),
        commitment: hex(sidecar, 'kzg_commitment'),
        proof: hex(sidecar, 'kzg_proof'),
      }));
    },
  };
}

/** Splits `Name: Value` (op-node: `parseHTTPHeader`). */
function splitHeader(header: string): [string, string] {
  const at = header.indexOf(':');
  return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
}
