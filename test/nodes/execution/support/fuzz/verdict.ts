import { jwtVerify } from 'jose';
import type { Hex } from '../../../../../src/protocol/types.ts';
import type { Payload } from '../driver.ts';
import { JWT } from '../nodes.ts';
import type { Outcome } from './campaign.ts';
import type { Case } from './cases.ts';
import type { Answer } from './connection.ts';

interface Json {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

/** Codes of requests that cannot be read. */
const UNREAD: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
const ENGINE: ReadonlySet<number> = new Set([-38001, -38002, -38003, -38004, -38005]);
/** Codes of rejected transactions, of op-geth and of op-reth. */
const REFUSED: ReadonlySet<number> = new Set([-32000, -32003]);
/** Messages of JavaScript errors, which show a defect of the program. */
export const STUMBLED = new RegExp(
  'Cannot (read|mix|convert)|is not (a function|iterable|defined)|undefined|NaN|' +
    'Maximum call stack|Invalid array|internal|Assertion',
);

/** Header fields that nothing in these blocks reads, so any value is valid. */
const FREE: ReadonlySet<string> = new Set(['prevRandao', 'gasLimit', 'extraData', 'blockHash']);

/** Valid payloads, and hashes of blocks that may be valid, to judge responses by. */
export interface Truth {
  readonly payloads: readonly Payload[];
  readonly hashes: Set<Hex>;
}

/** Judges a response by its request, without the code under test. */
export async function judge(request: Case, answer: Answer, truth: Truth): Promise<Outcome> {
  const isAllowed = request.kind !== 'token' || (await isGood(request.token));
  if (!isAllowed || answer.status === 401) {
    const right = !isAllowed && answer.status === 401 && answer.text.length > 0;
    return { decoded: false, ...(right ? {} : { problem: `token answered by ${answer.status}` }) };
  }
  if (answer.status !== 200) return { decoded: false, problem: `HTTP ${answer.status}` };
  if (answer.text === '') return { decoded: false };
  const json = JSON.parse(answer.text) as Json | Json[];
  if (Array.isArray(json)) return { decoded: true };
  if (json.error !== undefined) {
    const { code, message } = json.error;
    const expected = UNREAD.has(code) || ENGINE.has(code) || (REFUSED.has(code) && request.kind === 'transaction');
    const problem = !expected ? `code ${code}` : STUMBLED.test(message) || message === '' ? 'words' : undefined;
    return { decoded: !UNREAD.has(code), ...(problem === undefined ? {} : { problem: `${problem}: ${message}` }) };
  }
  const problem = request.kind === 'text' ? undefined : resultProblem(request, json.result, truth);
  return { decoded: true, ...(problem === undefined ? {} : { problem }) };
}

function resultProblem({ method, body }: Case, result: unknown, truth: Truth): string | undefined {
  const { hashes } = truth;
  const params = (JSON.parse(body) as { params: unknown[] }).params;
  if (method.startsWith('engine_newPayload')) return payloadProblem(params[0], result, truth);
  if (method.startsWith('engine_forkchoice')) {
    const { payloadStatus, payloadId } = result as { payloadStatus: Status; payloadId: unknown };
    const head = lower((params[0] as Record<string, unknown>)['headBlockHash']);
    const expected = hashes.has(head) ? 'VALID' : /^0x0+$/.test(head) ? 'INVALID' : undefined;
    // An unknown head may wait for its ancestors or be known as invalid.
    if (expected === undefined ? payloadStatus.status === 'VALID' : payloadStatus.status !== expected)
      return `head ${head} is ${payloadStatus.status}`;
    const isBuilding = payloadStatus.status === 'VALID' && params[1] != null;
    return (payloadId !== null) === isBuilding ? undefined : `payload id ${String(payloadId)}`;
  }
  if (method === 'eth_sendRawTransaction') return /^0x[0-9a-f]{64}$/.test(String(result)) ? undefined : 'no hash';
  return undefined;
}

interface Status {
  readonly status: string;
  readonly latestValidHash: string | null;
  readonly validationError: string | null;
}

function payloadProblem(payload: unknown, result: unknown, { hashes, payloads }: Truth): string | undefined {
  const { status, latestValidHash, validationError } = result as Status;
  const { blockHash, parentHash } = payload as Record<string, unknown>;
  switch (status) {
    case 'VALID':
      if (payloads.some((right) => isVariant(payload as Fields, right.envelope.executionPayload)))
        hashes.add(lower(blockHash));
      return hashes.has(lower(blockHash)) && latestValidHash === lower(blockHash)
        ? undefined
        : 'VALID though it is forged';
    case 'SYNCING':
      return hashes.has(lower(parentHash)) ? 'SYNCING though the parent is known' : undefined;
    case 'INVALID':
      if (validationError === null || validationError === '' || STUMBLED.test(validationError))
        return `INVALID: ${validationError}`;
      return latestValidHash === null || hashes.has(latestValidHash as Hex)
        ? undefined
        : `last valid ${latestValidHash}`;
    default:
      return `status ${status}`;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns whether a payload differs from a valid one only in free fields.
 * These are the free header fields, and parts of deposits without effect (source hash, gas).
 */
function isVariant(payload: Fields, right: Fields): boolean {
  return Object.keys(right).every((name) => FREE.has(name) || plain(payload[name]) === plain(right[name]));
}

function plain(value: unknown): string {
  return JSON.stringify(value ?? null)
    .toLowerCase()
    .replaceAll(/"0x7e[0-9a-f]*"/g, 'deposit');
}

const lower = (value: unknown): Hex => String(value).toLowerCase() as Hex;

/** Verifies a token with another library. */
async function isGood(token: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, JWT, { algorithms: ['HS256'] });
    return typeof payload.iat === 'number' && Math.abs(Date.now() / 1000 - payload.iat) <= 60;
  } catch {
    return false;
  }
}
