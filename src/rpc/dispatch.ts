import * as z from 'zod';
import { RPC_CODE, RpcError } from './error.ts';
import type { Call, Method, MethodTable } from './method.ts';

export interface DispatchOptions<Context> {
  readonly methods: MethodTable<Context>;
  readonly context: Context;
  /** Words of error -32601 for a method that is not in the table. */
  readonly notFound?: (method: string) => string;
  /** Requests in one batch; default 1000. */
  readonly maxBatch?: number;
  /** Bytes of one answer, and of all answers of a batch together; default: no limit. */
  readonly maxResponse?: number;
  readonly maxBatchResponse?: number;
  /** What is answered beyond the limits. */
  readonly batchTooLarge?: (limit: number) => RpcError;
  readonly responseTooLarge?: (limit: number) => RpcError;
  /** Called with errors that are no RpcError, for the log. */
  readonly onInternalError?: (method: string, error: unknown) => void;
}

interface Response {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
}

/** Answers the text of a request or batch; undefined where only notifications came. */
export async function dispatch<Context>(
  options: DispatchOptions<Context>,
  text: string,
  call: Call,
): Promise<string | undefined> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return JSON.stringify(failure(null, new RpcError(RPC_CODE.parse, 'parse error: the body is not JSON')));
  }
  if (!Array.isArray(body)) return respond(options, body, call);
  const limit = options.maxBatch ?? 1000;
  if (body.length === 0) return JSON.stringify(failure(null, new RpcError(RPC_CODE.invalidRequest, 'empty batch')));
  if (body.length > limit) {
    const error = options.batchTooLarge?.(limit) ?? new RpcError(RPC_CODE.invalidRequest, 'batch too large');
    return JSON.stringify([failure(idOf(body.find((request) => idOf(request) !== null)), error)]);
  }
  const responses = await respondAll(options, body, call);
  return responses.length === 0 ? undefined : `[${responses.join(',')}]`;
}

/** Answers a batch in its order, one after another; what comes behind the limit of bytes is refused instead of run. */
async function respondAll<Context>(
  options: DispatchOptions<Context>,
  requests: readonly unknown[],
  call: Call,
): Promise<string[]> {
  const limit = options.maxBatchResponse ?? Number.POSITIVE_INFINITY;
  const responses: string[] = [];
  let size = 0;
  for (const request of requests) {
    if (size > limit && idOf(request) !== null) {
      responses.push(JSON.stringify(failure(idOf(request), tooLarge(options, limit))));
      continue;
    }
    const response = await respond(options, request, call);
    if (response === undefined) continue;
    size += response.length;
    responses.push(response);
  }
  return responses;
}

async function respond<Context>(
  options: DispatchOptions<Context>,
  request: unknown,
  call: Call,
): Promise<string | undefined> {
  const response = await answer(options, request, call);
  if (response === undefined) return undefined;
  const limit = options.maxResponse ?? Number.POSITIVE_INFINITY;
  let text: string | undefined;
  try {
    text = JSON.stringify(response);
  } catch (error) {
    // Longer than any string may be.
    if (!(error instanceof RangeError)) throw error;
  }
  return text !== undefined && text.length <= limit
    ? text
    : JSON.stringify(failure(response.id, tooLarge(options, limit)));
}

function tooLarge<Context>({ responseTooLarge }: DispatchOptions<Context>, limit: number): RpcError {
  return responseTooLarge?.(limit) ?? new RpcError(-32003, 'response too large');
}

/** A request's id; null for notifications and what is no request. */
function idOf(request: unknown): unknown {
  return (request as { id?: unknown } | null | undefined)?.id ?? null;
}

async function answer<Context>(
  options: DispatchOptions<Context>,
  request: unknown,
  call: Call,
): Promise<Response | undefined> {
  if (typeof request !== 'object' || request === null)
    return failure(null, new RpcError(RPC_CODE.invalidRequest, 'invalid request: expected an object'));
  const { id, method: name, params } = request as { id?: unknown; method?: unknown; params?: unknown };
  const isNotification = id === undefined;
  if (!isNotification && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return failure(
      null,
      new RpcError(RPC_CODE.invalidRequest, 'invalid request: id must be a string, a number or null'),
    );
  if ('jsonrpc' in request && request.jsonrpc !== '2.0')
    return failure(id ?? null, new RpcError(RPC_CODE.invalidRequest, 'invalid request: jsonrpc must be "2.0"'));
  if (typeof name !== 'string')
    return failure(id ?? null, new RpcError(RPC_CODE.invalidRequest, 'invalid request: method must be a string'));
  try {
    const found = Object.hasOwn(options.methods, name) ? options.methods[name] : undefined;
    if (!found)
      throw new RpcError(
        RPC_CODE.methodNotFound,
        options.notFound?.(name) ?? `the method ${name} does not exist/is not available`,
      );
    const result = await found.handle(options.context, parseParams(found, params), call);
    return isNotification ? undefined : { jsonrpc: '2.0', id, result: result === undefined ? null : result };
  } catch (error) {
    if (!(error instanceof RpcError)) options.onInternalError?.(name, error);
    return isNotification ? undefined : failure(id, error);
  }
}

function parseParams<Context>(found: Method<Context>, params: unknown): readonly unknown[] {
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw new RpcError(RPC_CODE.invalidParams, 'invalid params: expected an array');
  const given = [...((params as unknown[] | null | undefined) ?? [])];
  while (given.length > 0 && (given.at(-1) === null || given.at(-1) === undefined)) given.pop();
  const tuple = found.params instanceof z.ZodTuple ? found.params.def.items.length : undefined;
  if (tuple !== undefined && given.length > tuple)
    throw new RpcError(RPC_CODE.invalidParams, `too many arguments, want at most ${tuple}`);
  const parsed = found.params.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const missing = issue?.path.length === 0 && issue.code === 'too_small';
  if (missing) throw new RpcError(RPC_CODE.invalidParams, `missing value for required argument ${given.length}`);
  throw new RpcError(
    RPC_CODE.invalidParams,
    `invalid argument ${issue?.path.join('.') || 0}: ${issue?.message ?? 'malformed'}`,
  );
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
