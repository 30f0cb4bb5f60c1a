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

/** Options object of the trace methods: a tracer by name with its configuration, or those of the struct logger. */
export const traceOptions = structLogger.extend({
  tracer: z.string().nullish(),
  tracerConfig: z.unknown().optional(),
  /** As Go writes durations. */
  timeout: z.string().nullish(),
  /** Every state is at hand: nothing has to be executed again to reach one. */
  reexec: z.number().nullish(),
});

export type TraceOptions = z.output<typeof traceOptions>;
