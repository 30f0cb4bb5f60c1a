import type { Outcome, Trial } from './campaign.ts';
import type { Answer } from './connection.ts';
import { STUMBLED } from './verdict.ts';

/** Codes of requests that cannot be read. */
const UNREAD: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);
/** Codes of requests that were read: a failed call, a missing block or limit, a rejected transaction. */
const READ: ReadonlySet<unknown> = new Set([3, 4, -32000, -32001, -32003, -32005, -32006, -32008, -32010, -32011]);

interface Json {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly error?: { readonly code: unknown; readonly message: unknown };
  readonly result?: unknown;
}

/** A request by the rules of JSON-RPC 2.0, parsed without the code under test. */
type RequestKind = 'nothing' | 'parse error' | 'invalid request' | 'an answer';

function kindOf(request: unknown): RequestKind {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return 'invalid request';
  const { jsonrpc, id, method } = request as Json;
  const isId = id === null || typeof id === 'number' || typeof id === 'string';
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '' || (id !== undefined && !isId))
    return 'invalid request';
  return id === undefined ? 'nothing' : 'an answer';
}

function parsed(body: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** Returns whether a body expects a response. Only notifications do not. */
export function isAnswered(body: string): boolean {
  const document = parsed(body);
  if (!Array.isArray(document?.json)) return document === undefined || kindOf(document.json) !== 'nothing';
  return document.json.length === 0 || document.json.some((one) => kindOf(one) !== 'nothing');
}

/** Judges a response by its request. */
export function judgePublic({ body }: Trial, { status, text }: Answer): Outcome {
  const document = parsed(body);
  const isRefused =
    status === 400 && (document === undefined || typeof document.json !== 'object' || document.json === null);
  if (status !== 200 && !isRefused) return { decoded: false, problem: `HTTP ${status}` };
  if (!isAnswered(body)) return { decoded: false, ...(text === '' ? {} : { problem: 'a notification was answered' }) };
  const answer = parsed(text)?.json as Json | Json[] | undefined;
  if (answer === undefined) return { decoded: false, problem: 'no JSON' };
  if (document === undefined) return of(problemOf('parse error', undefined, one(answer)));
  if (!Array.isArray(document.json))
    return of(problemOf(kindOf(document.json), document.json, one(answer)), one(answer));
  if (document.json.length === 0) return of(problemOf('invalid request', undefined, one(answer)));
  const answerable = document.json.filter((request) => kindOf(request) !== 'nothing');
  if (!Array.isArray(answer) || answer.length !== answerable.length)
    return { decoded: false, problem: 'other answers' };
  const problems = answerable.map((request, at) => problemOf(kindOf(request), request, answer[at]!));
  return of(problems.find((problem) => problem !== undefined));
}

function one(answer: Json | Json[]): Json {
  return Array.isArray(answer) ? {} : answer;
}

function of(problem: string | undefined, answer?: Json): Outcome {
  const decoded = answer !== undefined && !UNREAD.has(answer.error?.code);
  return { decoded, ...(problem === undefined ? {} : { problem }) };
}

function problemOf(kind: RequestKind, request: unknown, { jsonrpc, id, error, result }: Json): string | undefined {
  if (jsonrpc !== '2.0') return 'no answer of JSON-RPC 2.0';
  if (error === undefined) return kind !== 'an answer' || result === undefined ? 'answered' : wrongId(request, id);
  const { code, message } = error;
  if (typeof message !== 'string' || message === '' || STUMBLED.test(message)) return `words: ${String(message)}`;
  if (kind === 'parse error') return code === -32700 ? undefined : `code ${String(code)}`;
  // op-reth answers a non-object with a parse error as well.
  if (kind === 'invalid request') return code === -32600 || code === -32700 ? undefined : `code ${String(code)}`;
  return READ.has(code) || UNREAD.has(code) ? wrongId(request, id) : `code ${String(code)}`;
}

function wrongId(request: unknown, id: unknown): string | undefined {
  return (request as Json).id === id ? undefined : `id ${String(id)}`;
}
