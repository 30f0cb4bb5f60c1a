import type { L1BlobSchedule } from '../../../protocol/rules/rules.ts';
import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';
import { Failure } from '../../../system/failure.ts';
import { readJson } from '../../../system/files.ts';

/** Ethereum forks with blob parameters, oldest first. Of several with one activation time, the newest counts. */
const ORDER = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5', 'amsterdam'];

/**
 * Reads L1's blob schedule from its chain configuration (EIP-7840), alone or under `config` of a genesis file.
 * It is the newest active fork that has a `<fork>Time` and an entry in `blobSchedule`.
 */
export function loadBlobSchedule(path: string): L1BlobSchedule {
  const document = readJson(path);
  const config = jsonField(document, 'config') ?? document;
  const schedule = jsonField(config, 'blobSchedule');
  const steps = Object.entries(isJsonObject(schedule) ? schedule : {})
    .map(([fork, blobs]) => ({
      age: ORDER.indexOf(fork),
      time: jsonField(config, `${fork}Time`),
      fraction: Number(jsonField(blobs, 'baseFeeUpdateFraction')),
    }))
    .filter((step): step is typeof step & { time: number } => typeof step.time === 'number' && step.fraction > 0)
    .sort((a, b) => b.time - a.time || b.age - a.age);
  const [first] = steps.slice(-1);
  if (!first)
    throw new Failure('l1-chain-config', `${path} has no blobSchedule with the times of its forks`, { data: { path } });
  return ({ timestamp }) => BigInt((steps.find(({ time }) => time <= timestamp) ?? first).fraction);
}
