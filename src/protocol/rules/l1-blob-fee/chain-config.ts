import type { L1BlobSchedule } from '../rules.ts';

/** Ethereum forks with blob parameters, oldest first. Of several with one activation time, the newest counts. */
const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];

/**
 * Reads the blob schedule from a chain configuration (EIP-7840), alone or under `config` of a genesis file.
 * It is the newest active fork that has a `<fork>Time` and an entry in `blobSchedule`. Undefined if there is none.
 * Counterparts: `latestBlobConfig` (geth), `blob_params_at_timestamp` (reth).
 */
export function blobScheduleOf(document: unknown): L1BlobSchedule | undefined {
  const config = field(document, 'config') ?? document;
  const schedule = field(config, 'blobSchedule');
  const steps = Object.entries(typeof schedule === 'object' && schedule !== null ? schedule : {})
    .map(([fork, blobs]) => ({
      age: ORDER.indexOf(fork),
      time: field(config, `${fork}Time`),
      fraction: Number(field(blobs, 'baseFeeUpdateFraction')),
    }))
    .filter((step): step is typeof step & { time: number } => typeof step.time === 'number' && step.fraction > 0)
    .sort((a, b) => b.time - a.time || b.age - a.age);
  const [first] = steps.slice(-1);
  if (first === undefined) return undefined;
  return ({ timestamp }) => BigInt((steps.find(({ time }) => time <= timestamp) ?? first).fraction);
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
