import type { L1BlobSchedule } from '../../../protocol/rules/rules.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files.ts';

type Json = Readonly<Record<string, unknown>>;

/** Ethereum forks with blob parameters, oldest first. Of several with one activation time, the newest counts. */
const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];

/**
 * Reads L1's blob schedule from its chain configuration (EIP-7840), alone or under `config` of a genesis file.
 * It is the newest active fork that has a `<fork>Time` and an entry in `blobSchedule`.
 */
export function loadBlobSchedule(path: string): L1BlobSchedule {
  const document = readJson(path) as Json;
  const config = (document['config'] ?? document) as Json;
  const schedule = config['blobSchedule'] as Record<string, { baseFeeUpdateFraction?: unknown }> | undefined;
  const steps = Object.entries(schedule ?? {})
    .map(([fork, { baseFeeUpdateFraction }]) => ({
      age: ORDER.indexOf(fork),
      time: config[`${fork}Time`],
      fraction: Number(baseFeeUpdateFraction),
    }))
    .filter((step): step is typeof step & { time: number } => typeof step.time === 'number' && step.fraction > 0)
    .sort((a, b) => b.time - a.time || b.age - a.age);
  const [first] = steps.slice(-1);
  if (!first)
    throw new Failure('l1-chain-config', `${path} has no blobSchedule with the times of its forks`, { data: { path } });
  return ({ timestamp }) => BigInt((steps.find(({ time }) => time <= timestamp) ?? first).fraction);
}
