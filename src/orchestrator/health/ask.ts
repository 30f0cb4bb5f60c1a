import { quantity } from '../../protocol/hex.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { httpGet } from '../../rpc/client/http-rest.ts';
import { jsonField } from '../../rpc/json-object.ts';
import { clientFor } from '../probe/call.ts';
import type { HealthFacts, OutputContract, Source } from './facts.ts';
import { type Reading, readBlock, readChain, readNumber, readSyncStatus } from './gauge/reading.ts';
import { readOutputs } from './outputs.ts';

/** Timeout (ms) of a request to a process. */
const HEALTH_TIMEOUT_MS = 4000;

const NO_READING: Reading = { values: {} };

/**
 * Asks a task for its heads or counters in one message. Any answer proves that it runs.
 * `heightsFor`: numbers of the blocks that the comparison needs of an execution client.
 * @throws TransportError if there is no answer
 */
export async function askSource(
  { task, kind, url }: Source,
  facts: Pick<HealthFacts, 'posters' | 'outputContracts'>,
  isLate: (task: string) => boolean,
  heightsFor: (task: string) => readonly number[],
): Promise<Reading> {
  try {
    switch (kind) {
      case 'l1':
        return await askL1(task, url, facts, isLate);
      case 'beacon':
        return await askBeacon(task, url);
      case 'el':
        return await askExecution(task, url, heightsFor(task));
      case 'cl':
        return readSyncStatus(
          task,
          await clientFor(url).call('optimism_syncStatus', [], { timeoutMs: HEALTH_TIMEOUT_MS }),
        );
      case 'probes':
        return NO_READING;
    }
  } catch (error) {
    // A JSON-RPC error is an answer too.
    if (error instanceof TransportError && error.status === undefined) throw error;
    return NO_READING;
  }
}

async function askL1(
  task: string,
  url: string,
  { posters, outputContracts }: Pick<HealthFacts, 'posters' | 'outputContracts'>,
  isLate: (task: string) => boolean,
): Promise<Reading> {
  const poor = posters.filter((poster) => isLate(poster.task));
  const [head, ...others] = await clientFor(url).batch(
    [
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ...posters.map(({ address }) => ({ method: 'eth_getTransactionCount', params: [address, 'latest'] })),
      ...poor.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
    ],
    { timeoutMs: HEALTH_TIMEOUT_MS },
  );
  const answers = others.map((outcome) => (outcome.ok ? outcome.result : undefined));
  const values = [
    readBlock(`${task} head`, head?.ok ? head.result : undefined),
    ...posters.map((poster, at) => readNumber(`${poster.task} posts`, answers[at])),
  ].map((reading) => reading.values);
  const balances = poor.flatMap((poster, at) => {
    const wei = answers[posters.length + at];
    return typeof wei === 'string' ? [[poster.task, BigInt(wei)] as const] : [];
  });
  const outputs = await Promise.all(outputContracts.map((contract) => outputsIn(url, contract)));
  return { values: Object.assign({}, ...values, ...outputs), balances: Object.fromEntries(balances) };
}

/** Reads the newest output of a contract. A contract that answers an error has none. */
async function outputsIn(url: string, contract: OutputContract): Promise<Reading['values']> {
  const number = await readOutputs(contract, (to, data) =>
    clientFor(url).call<string>('eth_call', [{ to, data }, 'latest'], { timeoutMs: HEALTH_TIMEOUT_MS }),
  ).catch((error: unknown) => {
    if (error instanceof TransportError) throw error;
    return undefined;
  });
  return number === undefined ? {} : { [contract.id]: { number } };
}

async function askExecution(task: string, url: string, heights: readonly number[]): Promise<Reading> {
  const outcomes = await clientFor(url).batch(
    ['latest', ...heights.map((number) => quantity(number))].map((block) => ({
      method: 'eth_getBlockByNumber',
      params: [block, false],
    })),
    { timeoutMs: HEALTH_TIMEOUT_MS },
  );
  return readChain(
    task,
    outcomes.map((outcome) => (outcome.ok ? outcome.result : undefined)),
  );
}

async function askBeacon(task: string, url: string): Promise<Reading> {
  const { text } = await httpGet(`${url}/eth/v1/node/syncing`, { timeoutMs: HEALTH_TIMEOUT_MS, maxBytes: 100_000 });
  try {
    return readNumber(`${task} slot`, jsonField(jsonField(JSON.parse(text), 'data'), 'head_slot'));
  } catch {
    return NO_READING;
  }
}
