import { quantity } from '../../../protocol/hex.ts';
import { messageOf } from '../../../system/failure.ts';
import type { ChainView, NodeView, Plan } from '../../plan/plan.ts';
import { pasteable } from '../../plan/print/pasteable.ts';
import { redactor } from '../../plan/redact.ts';
import { clientFor } from '../../probe/call.ts';
import { type Divergence, differingFields, isHeader } from '../compare.ts';
import { refusalOf } from '../refusal.ts';
import { type Boundary, nearestBoundary } from './boundary.ts';
import { type ExecutionDifferences, executionDifferences } from './execution-differences.ts';
import { type ForkTimesResult, forkTimes } from './fork-times.ts';

/** Why two sides of a network diverge, with the source of each statement. Keys are only ever added. */
export interface Explanation {
  readonly chain: string;
  readonly block: number;
  readonly kind: Divergence['kind'];
  /** All nodes in the minority. The blocks of the first one are compared. */
  readonly nodes: readonly string[];
  /** The node of the majority that they are compared with. */
  readonly against: string;
  /** Unix seconds of the block on the majority. */
  readonly time: number | null;
  readonly boundary: Boundary | null;
  /** Header fields that differ. */
  readonly fields: readonly { readonly field: string; readonly minority: unknown; readonly majority: unknown }[];
  readonly execution: ExecutionDifferences | null;
  /** Log lines that speak of a refusal of the block, by task. */
  readonly refusals: readonly { readonly task: string; readonly log: string; readonly words: string }[];
  readonly forkTimes: ForkTimesResult | { readonly unknown: string };
  /** How the processes of the minority were started. */
  readonly commands: readonly { readonly task: string; readonly command: string }[];
}

/** Timeout (ms) of a request for a header. */
const HEADER_TIMEOUT_MS = 10_000;

/** Gathers all that is known of a divergence. @throws Error if the plan has no such node */
export async function explain(plan: Plan, divergence: Divergence, against?: string): Promise<Explanation> {
  const { nodes, block, kind } = divergence;
  const chain = plan.network.chains.find(({ name }) => name === divergence.chain);
  const minority = chain?.nodes.find(({ name }) => nodes.includes(name));
  const majority = chain && majorityOf(chain, nodes, against);
  if (chain === undefined || minority === undefined || majority === undefined)
    throw new Error(`the plan has no two sides for block ${block} of ${divergence.chain}`);
  const [ours, other] = await Promise.all([minority, majority].map((node) => headerOf(node, block)));
  const isWhole = ours !== undefined && other !== undefined;
  const [execution, times] = await Promise.all([
    isWhole
      ? executionDifferences({ url: minority.el.http, header: ours }, { url: majority.el.http, header: other })
      : null,
    isWhole
      ? forkTimes({ plan, chain, majority, minority, block }).catch((error: unknown) => ({ unknown: messageOf(error) }))
      : {
          unknown:
            `${chain.name}/${ours === undefined ? minority.name : majority.name} ` +
            `has no block ${block} of its own to execute`,
        },
  ]);
  return {
    ...{ chain: chain.name, block, kind, nodes, against: majority.name },
    time: other === undefined ? null : Number(other['timestamp']),
    boundary: nearestBoundary(chain, [minority, majority], plan.genesisTime, block) ?? null,
    fields: isWhole
      ? differingFields(ours, other)
          .sort()
          .map((field) => ({ field, minority: ours[field], majority: other[field] }))
      : [],
    execution,
    refusals: refusalsOf(plan, [minority, majority], block, [ours?.hash, other?.hash]),
    forkTimes: times,
    commands: commandsOf(plan, minority),
  };
}

function majorityOf({ nodes }: ChainView, minority: readonly string[], against?: string): NodeView | undefined {
  const others = nodes.filter(({ name }) => !minority.includes(name));
  return others.find(({ name }) => name === against) ?? others.find(({ role }) => role === 'sequencer') ?? others.at(0);
}

async function headerOf({ el }: NodeView, block: number) {
  const params = [quantity(block), false];
  const header = await clientFor(el.http)
    .call('eth_getBlockByNumber', params, { timeoutMs: HEADER_TIMEOUT_MS })
    .catch(() => undefined);
  return isHeader(header) ? header : undefined;
}

/** Finds the words with which either side refused the block of the other. */
function refusalsOf(
  plan: Plan,
  [minority, majority]: readonly NodeView[],
  number: number,
  [ours, other]: readonly (string | undefined)[],
): Explanation['refusals'] {
  const refused = [
    { node: minority, hash: other },
    { node: majority, hash: ours },
  ];
  return refused.flatMap(({ node, hash }) => {
    if (node === undefined || hash === undefined) return [];
    return plan.tasks
      .filter(({ id }) => id === node.el.task || id === node.cl.task)
      .flatMap(({ id, log, secrets }) => {
        const words = refusalOf([log], { number, hash });
        return words === undefined ? [] : [{ task: id, log, words: redactor(secrets)(words) }];
      });
  });
}

function commandsOf({ tasks }: Plan, { el, cl }: NodeView): Explanation['commands'] {
  return tasks
    .filter(({ id }) => id === el.task || id === cl.task)
    .map(({ id, command, secrets }) => ({ task: id, command: pasteable(command, secrets) }));
}
