import * as z from 'zod';
import { attributesFromJson } from '../../../protocol/codec/attributes-json.ts';
import { decodeHeader } from '../../../protocol/codec/header.ts';
import { type ForkSchedule, findFork } from '../../../protocol/forks/index.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { httpClient } from '../../../rpc/client/http-client.ts';
import { messageOf } from '../../../system/failure.ts';
import { readGenesisFile } from '../chain/genesis-file.ts';
import { FetchedState } from './fetched-state.ts';
import { type ReplayParent, replay } from './replay.ts';

const hex = z.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value));

/** A job of `replay`: a parent block, where its state is read, and blocks to build upon it. */
export const replayJob = z.object({
  /** genesis.json of the chain. */
  genesis: z.string(),
  /** URL of a client that has the state after the parent. */
  state: z.string(),
  /** Clients and blocks whose execution witness may spare requests. */
  witnesses: z.array(z.object({ url: z.string(), hash: hex })),
  /** RLP of the parent's header. */
  parent: hex,
  runs: z
    .array(
      z.object({
        schedule: z.record(z.string(), z.int()),
        /** Payload attributes as the Engine API spells them. */
        attributes: z.unknown(),
      }),
    )
    .max(200),
});

/** Timeout (ms) and size (bytes) of an answer. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Builds every block of a job. Returns hash and header, or the error, of each. */
export async function runJob(
  { genesis, state, witnesses, parent, runs }: z.infer<typeof replayJob>,
  signal: AbortSignal,
) {
  const { definition } = readGenesisFile(genesis);
  const clientOf = (url: string) => httpClient({ url, timeoutMs: ANSWER_TIMEOUT_MS, maxAnswer: MAX_ANSWER_BYTES });
  const hash = keccak256(hexToBytes(parent));
  const fetched = new FetchedState(clientOf(state), hash);
  for (const { url, hash: block } of witnesses) {
    const client = clientOf(url);
    // A client without this method costs more requests only.
    const witness = await client.call('debug_executionWitnessByBlockHash', [block]).catch(() => undefined);
    fetched.addWitness(witness);
    client.close();
  }
  const under: ReplayParent = { hash, header: decodeHeader(hexToBytes(parent)), state: fetched };
  const results = [];
  for (const { schedule, attributes } of runs) {
    if (signal.aborted) break;
    try {
      const built = await replay(definition, scheduleOf(schedule), under, attributesFromJson(attributes));
      results.push({ hash: built.hash, header: bytesToHex(built.encodedHeader) });
    } catch (error) {
      results.push({ error: messageOf(error) });
    }
  }
  return results;
}

function scheduleOf(times: Readonly<Record<string, number>>): ForkSchedule {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => {
      const fork = findFork(name);
      return fork === undefined ? [] : [[fork.name, time] as const];
    }),
  );
}
