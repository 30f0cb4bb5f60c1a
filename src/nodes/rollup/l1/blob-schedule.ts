import type { L1BlobSchedule } from '../../../protocol/rules/rules.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files.ts';

type Json = Readonly<Record<string, unknown>>;

/** Forks of Ethereum that set blob parameters, the oldest first. Of several that activate at once the newest counts. */
const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];

/**
 * L1's blob schedule from its chain configuration (EIP-7840), which stands alone or under `config` of a genesis file: of the forks that have a
 * `<fork>Time` and an entry in `blobSchedule`, the newest one active.
 * @throws Failure `l1-chain-config` where the file has no blob schedule
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
