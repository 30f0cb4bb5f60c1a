import * as z from 'zod';

/** The request around a method's call. */
export interface Call {
  readonly transport: 'http' | 'websocket';
  /**
   * Sends a notification on the caller's connection; absent over HTTP.
   * Returns false if the connection is closed or its reader too slow.
   */
  readonly notify?: (method: string, params: unknown) => boolean;
  /** The caller's address. */
  readonly from?: string;
  /** Aborted when the connection closes. */
  readonly closed: AbortSignal;
}

/**
 * An RPC method. Registration, validation and documentation derive from it. `Context` is the state that the methods
 * use.
 */
export interface Method<Context, Params extends readonly unknown[] = readonly unknown[], Result = unknown> {
  readonly summary: string;
  readonly params: z.ZodType<Params, readonly unknown[]>;
  handle(context: Context, params: Params, call: Call): Result | Promise<Result>;
}

/** A namespace's methods by full name (`eth_chainId`). */
// biome-ignore lint/suspicious/noExplicitAny: methods of any parameters; each entry's schema types its handler
export type MethodTable<Context> = Readonly<Record<string, Method<Context, any, any>>>;

/** Types the handler by the parameter schema. Trailing optional parameters may be omitted or null. */
export function method<Context, Schema extends z.ZodTuple, Result>(
  summary: string,
  params: Schema,
  handle: (context: Context, params: z.output<Schema>, call: Call) => Result | Promise<Result>,
): Method<Context, z.output<Schema>, Result> {
  return { summary, params: params as unknown as z.ZodType<z.output<Schema>, readonly unknown[]>, handle };
}

/** Parameter schemas that all nodes share. Results keep the case of the input. */
export const param = {
  hash: hexOf(32, 'a 32-byte hash'),
  address: hexOf(20, 'a 20-byte address'),
  data: z.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value), {
    error: 'expected hex data',
  }),
  /** `0x`-prefixed quantity → bigint. */
  quantity: z
    .custom<string>((value) => typeof value === 'string' && /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/.test(value), {
      error: 'expected a hex quantity',
    })
    .transform((text) => BigInt(text)),
};

/** Reads a parameter with a function. Its errors are reported as invalid parameters. */
export function parameterOf<Value>(read: (json: unknown) => Value): z.ZodType<Value, unknown> {
  return z.unknown().transform((json, context) => {
    try {
      return read(json);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

function hexOf(bytes: number, what: string) {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`);
  return z.custom<`0x${string}`>((value) => typeof value === 'string' && pattern.test(value), {
    error: `expected ${what}`,
  });
}
