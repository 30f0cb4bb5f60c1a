import { checkDevnet } from '../../devnet/check-devnet.ts';
import { type Devnet, viewOf } from '../../devnet/select.ts';
import type { Divergence } from '../../divergence/compare.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Problem } from '../../state/problem.ts';

/**
 * Lists the problems of a devnet, each once: those of its health, and nodes that diverge. The health watch confirms a
 * divergence only after some seconds, so that every block is compared.
 */
export async function networkProblems(devnet: Devnet): Promise<readonly Problem[]> {
  const { plan } = viewOf(devnet);
  const now = Date.now();
  const { divergences, problems: healthProblems } = (await checkDevnet(devnet, false)).result;
  // A node with another block has refused the chain's. The health watch may know that alone so far.
  const isOld = ({ subject, what }: Problem) =>
    what.startsWith(DIVERGENCE_VERBS.refused) && divergences.some((each) => isAnother(plan, each, subject));
  const problems = healthProblems.filter((problem) => !isOld(problem));
  const subjects = new Set(problems.map(({ subject }) => subject));
  const divergent = divergences
    .filter(({ catchingUp }) => catchingUp !== true)
    .flatMap((divergence) => divergence.nodes.flatMap((name) => problemOf(plan, divergence, name, now, subjects)));
  return [...problems, ...divergent];
}

/** Returns whether a divergence is of the blocks of a task. */
function isAnother(plan: Plan, { chain, kind, nodes: names }: Divergence, task: string): boolean {
  const nodes = plan.network.chains.find(({ name }) => name === chain)?.nodes ?? [];
  return kind === 'hash' && nodes.some(({ name, el }) => names.includes(name) && el.task === task);
}

/** Describes a node that diverges; empty if the health watch has it. */
function problemOf(
  plan: Plan,
  { chain, block, kind, reason }: Divergence,
  name: string,
  since: number,
  subjects: ReadonlySet<string>,
): readonly Problem[] {
  const nodes = plan.network.chains.find((each) => each.name === chain)?.nodes;
  const node = nodes?.find((each) => each.name === name);
  if (node === undefined || subjects.has(node.el.task)) return [];
  if (kind === 'behind' && subjects.has(node.cl.task)) return [];
  return [
    {
      subject: node.el.task,
      what: `${DIVERGENCE_VERBS[kind]} ${block}`,
      since,
      because: reason === '' ? null : reason,
    },
  ];
}

const DIVERGENCE_VERBS: Readonly<Record<Divergence['kind'], string>> = {
  hash: 'has another block',
  refused: 'refused block',
  behind: 'is missing block',
};
