import { type ForkSchedule, findFork, rollupConfigTimes } from '../../../protocol/forks/index.ts';
import { renderRollupConfig } from '../../../protocol/genesis/index.ts';
import { present } from '../../../protocol/present.ts';
import type { RollupConfig } from '../../../protocol/types.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { NodeSpec } from '../../spec/schema/types.ts';
import type { Values } from '../../template/references.ts';
import type { ClientTemplate } from '../../template/template.ts';
import type { PlannedChain } from '../chain/planned-chain.ts';
import { type PlanInputs, taskFolder } from '../inputs.ts';
import type { PlannedFile } from '../plan.ts';

/** Activation time that stands for never: later than any block. */
const NEVER = 2 ** 53 - 1;

/**
 * Returns the activation times of a node that reach its client by flags, and whether others need a chain file.
 * A flag becomes an argument such as `--override.isthmus=1795354566`.
 */
export function overridesFor(
  template: ClientTemplate,
  node: NodeSpec,
  chain: PlannedChain,
  schedule: ForkSchedule,
): { readonly flags: Readonly<Record<string, number>>; readonly inFile: boolean } {
  const flags: Record<string, number> = {};
  let inFile = false;
  for (const name of Object.keys(node.override)) {
    const { name: fork } = present(findFork(name), `fork ${name}`);
    if (schedule[fork] === chain.schedule[fork]) continue;
    const way = template.override(fork);
    if (way.how === 'flag') flags[way.flag] = schedule[fork] ?? NEVER;
    if (way.how === 'chain-file') inFile = true;
  }
  return { flags, inFile };
}

/** A process that gets a chain file of its own. */
interface ChainFileOwner {
  readonly id: string;
  /** Name of its template. */
  readonly client: string;
  /** Fork times of its node. */
  readonly schedule: ForkSchedule;
}

/**
 * Plans a process's own chain file and the references that lead to it.
 * @throws Failure `chain-files` if the chain comes from files of the user
 */
export function chainFile(
  part: 'el' | 'cl',
  { id, client, schedule }: ChainFileOwner,
  chain: PlannedChain,
  inputs: PlanInputs,
): { readonly file: PlannedFile; readonly values: Values } {
  const folder = taskFolder(inputs, id);
  if (part === 'el') {
    if (chain.spec.from !== null)
      throw new Failure(
        'chain-files',
        `${id}: ${client} reads fork times from a chain file, which cannot be derived from ${chain.genesisFile}`,
        {
          exit: EXIT.usage,
        },
      );
    const path = `${folder}/genesis.json`;
    const content = { kind: 'l2-genesis', inputs: { ...chain.genesis, schedule } } as const;
    return { file: { path, mode: 0o644, secret: false, content }, values: { 'chain.genesis': path } };
  }
  const path = `${folder}/rollup.json`;
  const others = Object.fromEntries(
    Object.entries(chain.rollup).filter(
      ([key]) => !key.endsWith('_time') || !(key in rollupConfigTimes(chain.schedule)),
    ),
  );
  const text = renderRollupConfig({ ...others, ...rollupConfigTimes(schedule) } as RollupConfig);
  return {
    file: { path, mode: 0o644, secret: false, content: { kind: 'text', text } },
    values: { 'chain.rollup': path },
  };
}
