import * as z from 'zod';

const structLogger = z.object({
  enableMemory: z.boolean().nullish(),
  disableMemory: z.boolean().nullish(),
  disableStack: z.boolean().nullish(),
  disableStorage: z.boolean().nullish(),
  enableReturnData: z.boolean().nullish(),
  disableReturnData: z.boolean().nullish(),
  debug: z.boolean().nullish(),
  limit: z.int().nonnegative().nullish(),
});

/** Options of the struct logger. */
export type StructLoggerOptions = z.output<typeof structLogger>;

/**
 * Options of the trace methods: a tracer and its configuration, or those of the struct logger (geth: `TraceConfig`).
 */
export const traceOptions = structLogger.extend({
  tracer: z.string().nullish(),
  tracerConfig: z.unknown().optional(),
  /** A Go duration. */
  timeout: z.string().nullish(),
  /** Ignored: every state is stored, so no block is executed again. */
  reexec: z.number().nullish(),
});

/** Decoded options of the trace methods. */
export type TraceOptions = z.output<typeof traceOptions>;
