import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { RPC_CODE, RpcError } from '../error.ts';
import { isJsonObject, jsonField } from '../json-object.ts';
import type { Call, Method, MethodTable } from '../method.ts';
import { hasMoreItems } from './batch-size.ts';
import { type Envelope, STANDARD_ENVELOPE } from './envelope.ts';
import { JsonText, joinJson, lengthOf, type ResponseText } from './json-text.ts';

export interface DispatchOptions<Context> {
  readonly methods: MethodTable<Context>;
  readonly context: Context;
  /** The server's error responses outside the methods. */
  readonly envelope?: Envelope;
  /** Requests in one batch; default 1000. */
  readonly maxBatch?: number;
  /** Returns why a message with this many requests of an address is refused now; default: none is. */
  readonly rateLimit?: (requests: number, from: string) => RpcError | undefined;
  /** Bytes of one response, and of all responses of a batch together; default: no limit. */
  readonly maxResponse?: number;
  readonly maxBatchResponse?: number;
  /** Called with errors that are no RpcError, for the log. */
  readonly onInternalError?: (method: string, error: unknown) => void;
}

/** Milliseconds that a batch runs before it yields to the event loop. */
const BATCH_TURN_MS = 2;

interface Response {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
}

function envelopeOf<Context>({ envelope }: DispatchOptions<Context>): Envelope {
  return envelope ?? STANDARD_ENVELOPE;
}

/** Answers the text of a request or batch. undefined: it holds only notifications. */
export async function dispatch<Context>(
  options: DispatchOptions<Context>,
  text: string,
  call: Call,
): Promise<ResponseText | undefined> {
  const envelope = envelopeOf(options);
  const limit = options.maxBatch ?? 1000;
  // Parsing millions of requests takes seconds and a gigabyte. If the error carries no id, the requests are only
  // counted.
  if (envelope.refusesBatchWhole && hasMoreItems(text, limit)) return failureText(null, envelope.batchTooLarge(limit));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failureText(null, envelope.parseError());
  }
  const refused = options.rateLimit?.(Array.isArray(body) ? body.length : 1, call.from ?? '');
  if (refused) return failureText(idOf(body), refused);
  if (!Array.isArray(body)) return respond(options, body, call, true);
  if (body.length === 0) return failureText(null, envelope.emptyBatch());
  if (body.length > limit)
    return `[${failureText(idOf(body.find((request) => idOf(request) !== null)), envelope.batchTooLarge(limit))}]`;
  return respondAll(options, body, call);
}

/** Answers a batch in order. Requests beyond the byte limit are refused instead of run. */
async function respondAll<Context>(
  options: DispatchOptions<Context>,
  requests: readonly unknown[],
  call: Call,
): Promise<string | undefined> {
  const envelope = envelopeOf(options);
  const limit = options.maxBatchResponse ?? Number.POSITIVE_INFINITY;
  const responses: string[] = [];
  let size = 0;
  let turn = performance.now();
  for (const request of requests) {
    if (performance.now() - turn > BATCH_TURN_MS) {
      await nextTurn();
      turn = performance.now();
    }
    if (call.closed.aborted) return undefined;
    if (size > limit && idOf(request) !== null) {
      responses.push(failureText(idOf(request), envelope.batchResponseTooLarge(limit)));
      continue;
    }
    const response = await respond(options, request, call, false);
    if (response === undefined) continue;
    size += lengthOf(response) + 1;
    if (size > limit && envelope.refusesBatchWhole) return failureText(null, envelope.batchResponseTooLarge(limit));
    responses.push(joinJson(response).toString());
  }
  return responses.length === 0 ? undefined : `[${responses.join(',')}]`;
}

async function respond<Context>(
  options: DispatchOptions<Context>,
  request: unknown,
  call: Call,
  isAlone: boolean,
): Promise<ResponseText | undefined> {
  const response = await answer(options, request, call, isAlone);
  if (response === undefined) return undefined;
  const limit = options.maxResponse ?? Number.POSITIVE_INFINITY;
  try {
    const text = textOf(response);
    return text !== undefined && lengthOf(text) <= limit
      ? text
      : failureText(response.id, envelopeOf(options).responseTooLarge(limit));
  } catch (error) {
    // A result that JSON cannot express is a defect of its method, not the end of a WebSocket's program.
    options.onInternalError?.(String(jsonField(request, 'method')), error);
    return JSON.stringify(failure(response.id, error));
  }
}

/** undefined: longer than the longest string. */
function textOf(response: Response): ResponseText | undefined {
  const { id, result } = response;
  try {
    if (!(result instanceof JsonText)) return JSON.stringify(response);
    const parts = result.parts && [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, ...result.parts, '}'];
    return parts?.every((part) => typeof part === 'string') ? parts.join('') : parts;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns a request's id; null for notifications and invalid requests. */
function idOf(request: unknown): unknown {
  const id = jsonField(request, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

async function answer<Context>(
  options: DispatchOptions<Context>,
  request: unknown,
  call: Call,
  isAlone: boolean,
): Promise<Response | undefined> {
  const envelope = envelopeOf(options);
  const fields = requestOf(request);
  if (fields === undefined) {
    const hasId = jsonField(request, 'id') !== undefined;
    return failure(idOf(request), envelope.invalidRequest(hasId, isAlone));
  }
  const { id, name, params } = fields;
  const isNotification = id === undefined;
  if (isNotification && !envelope.runsNotifications) return undefined;
  try {
    const method = Object.hasOwn(options.methods, name) ? options.methods[name] : undefined;
    if (!method) throw envelope.methodNotFound(name);
    const result = await method.handle(options.context, parseParams(method, params, envelope), call);
    return isNotification ? undefined : { jsonrpc: '2.0', id, result: result === undefined ? null : result };
  } catch (error) {
    if (!(error instanceof RpcError)) options.onInternalError?.(name, error);
    return isNotification ? undefined : failure(id, error);
  }
}

/** Reads a request; undefined if it is invalid (JSON-RPC 2.0: request object). */
function requestOf(
  request: unknown,
): { readonly id: unknown; readonly name: string; readonly params: unknown } | undefined {
  if (!isJsonObject(request)) return undefined;
  const { jsonrpc, id, method: name, params } = request;
  if (jsonrpc !== '2.0' || typeof name !== 'string' || name === '') return undefined;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  return isId ? { id, name, params } : undefined;
}

function parseParams<Context>(method: Method<Context>, params: unknown, envelope: Envelope): readonly unknown[] {
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw envelope.invalidParams('invalid params: expected an array');
  const values: unknown[] = [...(params ?? [])];
  const tuple = method.params instanceof z.ZodTuple ? method.params.def.items.length : undefined;
  if (envelope.ignoresExtraParams && tuple !== undefined) values.splice(tuple);
  while (values.at(-1) === null) values.pop();
  if (tuple !== undefined && values.length > tuple)
    throw envelope.invalidParams(`too many arguments, want at most ${tuple}`);
  const parsed = method.params.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const missing = issue?.path.length === 0 && issue.code === 'too_small';
  if (missing) throw envelope.invalidParams(`missing value for required argument ${values.length}`);
  // The library's default message is `Invalid input: expected array, received undefined`.
  const words = (issue?.message ?? 'malformed')
    .replace(/^Invalid input: /, '')
    .replace('received undefined', 'found nothing');
  throw envelope.invalidParams(`invalid argument ${issue?.path.join('.') || 0}: ${words}`);
}

/** Encodes an error response. */
export function failureText(id: unknown, error: RpcError): string {
  return JSON.stringify(failure(id, error));
}

function failure(id: unknown, error: unknown): Response {
  if (error instanceof RpcError)
    return {
      jsonrpc: '2.0',
      id,
      error: { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) },
    };
  return {
    jsonrpc: '2.0',
    id,
    error: { code: RPC_CODE.internal, message: error instanceof Error ? error.message : 'internal error' },
  };
}
