import { RPC_CODE, RpcError } from '../error.ts';
import { jsonField } from '../json-object.ts';
import { failureText } from '../server/dispatch.ts';

/** A request that a gateway answers itself. */
export interface GatewayCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Calls the target. @throws RpcError of its answer, TransportError without one */
  pass(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** Answers one method instead of the target; throws RpcError to refuse it. */
export type GatewayMethod = (call: GatewayCall) => unknown;

/** Methods by name. */
export type GatewayMethods = Readonly<Record<string, GatewayMethod>>;

/** Calls of the gateway to its target. */
export interface GatewayTarget {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Returns the answer to one JSON-RPC request as text; '' to a notification. */
  ask(request: string): Promise<string>;
}

/**
 * Answers a body that names a method of the table; undefined if it names none and is passed on unchanged.
 * The requests of a batch with such a method are answered one after another, in order.
 */
export function answerOwn(methods: GatewayMethods, body: Buffer, behind: GatewayTarget): Promise<string> | undefined {
  if (!mayName(methods, body)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  const isOwn = (request: unknown) => methodOf(methods, request) !== undefined;
  if (!Array.isArray(parsed)) return isOwn(parsed) ? answer(methods, parsed, behind) : undefined;
  return parsed.some(isOwn) ? answerAll(methods, parsed, behind) : undefined;
}

/**
 * Returns false if the text holds no name of the table. An escaped name (`\u005f`) shows only in the parsed text.
 */
function mayName(methods: GatewayMethods, body: Buffer): boolean {
  const names = Object.keys(methods);
  return names.length > 0 && (body.includes('\\') || names.some((name) => body.includes(name)));
}

async function answerAll(
  methods: GatewayMethods,
  requests: readonly unknown[],
  behind: GatewayTarget,
): Promise<string> {
  const answers: string[] = [];
  for (const request of requests) {
    const text = await answer(methods, request, behind);
    if (text !== '') answers.push(text);
  }
  return answers.length === 0 ? '' : `[${answers.join(',')}]`;
}

async function answer(methods: GatewayMethods, request: unknown, behind: GatewayTarget): Promise<string> {
  const method = methodOf(methods, request);
  const id = jsonField(request, 'id');
  const params = jsonField(request, 'params');
  try {
    if (method === undefined) return await behind.ask(JSON.stringify(request));
    const result = await method({
      method: String(jsonField(request, 'method')),
      params: Array.isArray(params) ? params : [],
      pass: behind.call,
    });
    return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: result === undefined ? null : result });
  } catch (error) {
    if (id === undefined) return '';
    return failureText(id, error instanceof RpcError ? error : new RpcError(RPC_CODE.internal, messageOf(error)));
  }
}

function methodOf(methods: GatewayMethods, request: unknown): GatewayMethod | undefined {
  const name = jsonField(request, 'method');
  return typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
