import * as z from 'zod';
import { blockOverridesParam, callParam, overridesParam } from '../call/call-arguments.ts';

/** Parameters of eth_simulateV1 (geth: `simOpts`). */
export const simulationParam = z.object({
  blockStateCalls: z
    .array(
      z.object({
        blockOverrides: blockOverridesParam.nullish(),
        stateOverrides: overridesParam.nullish(),
        calls: z.array(callParam).nullish(),
      }),
    )
    .min(1, 'empty input'),
  traceTransfers: z.boolean().nullish(),
  validation: z.boolean().nullish(),
  returnFullTransactions: z.boolean().nullish(),
});

/** Decoded parameters of eth_simulateV1. */
export type SimulationArguments = z.output<typeof simulationParam>;

/** One block of a simulation (geth: `simBlock`). */
export type SimulatedCalls = SimulationArguments['blockStateCalls'][number];
