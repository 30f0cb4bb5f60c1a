import type { Method, MethodTable } from '../../../rpc/method.ts';
import { JsonText } from '../../../rpc/server/json-text.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import type { Scheduler } from '../evm/scheduler.ts';
import type { NodeContext } from './context.ts';
import { encodeJson } from './encode-json.ts';

/**
 * Returns the same methods. Those that `isScheduled` names run one at a time in slices of the event loop, up to the
 * encoding of their results.
 */
export function scheduleMethods(
  table: MethodTable<NodeContext>,
  scheduler: Scheduler,
  isScheduled: (name: string) => boolean,
): MethodTable<NodeContext> {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, isScheduled(name) ? inSlices(entry, scheduler) : entry]),
  );
}

function inSlices(entry: Method<NodeContext>, scheduler: Scheduler): Method<NodeContext> {
  return {
    ...entry,
    handle: (context, params, call) =>
      scheduler.run(async (rest) => {
        const newBudget = (limitMs?: number) => new ExecutionBudget(limitMs, rest);
        const result = await entry.handle({ ...context, newBudget }, params, call);
        return new JsonText(await newBudget().complete(encodeJson(result, context.limits.response)));
      }),
  };
}
