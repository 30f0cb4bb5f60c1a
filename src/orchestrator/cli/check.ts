import { EXIT } from '../../system/failure.ts';
import { readAgreed, writeAgreed } from '../observe/agreed-file.ts';
import type { Divergence } from '../observe/agreement.ts';
import { type CheckResult, checkNetwork, SILENT } from '../observe/check.ts';
import { reportLines } from '../observe/explain/report.ts';
import { problemLines } from '../observe/problem-lines.ts';
import type { Plan } from '../plan/plan.ts';
import { closeClients } from '../probe/call.ts';
import type { CommandDefinition, Io } from '../workflow/command.ts';
import { freshState } from '../workflow/fresh-state.ts';
import {
  DEVNET_ARGUMENT,
  DEVNET_OPTIONS,
  type Devnet,
  isUp,
  selectDevnet,
  viewOf,
  wantedName,
} from '../workflow/select.ts';
import { showTasks } from '../workflow/task-list.ts';

export const command: CommandDefinition = {
  name: 'check',
  summary: 'compare every block on every node and report divergences',
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--explain', description: 'gather what differs, and which fork times would explain it' },
    { flags: '--json', description: 'one JSON document' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const { result, isWhole } = isUp(devnet)
      ? await checkRunning(io, devnet, options['explain'] === true)
      : { result: notRunning(devnet), isWhole: false };
    if (options['json'] === true) io.stdout(`${JSON.stringify(result, null, 2)}\n`);
    else for (const line of spoken(result, isWhole)) io.stderr(`${line}\n`);
    return result.agree && result.problems.length === 0 ? EXIT.done : EXIT.failed;
  },
};

/** Checks a running devnet. `isWhole`: every node answered. */
async function checkRunning(
  io: Io,
  devnet: Devnet,
  explains: boolean,
): Promise<{ readonly result: CheckResult; readonly isWhole: boolean }> {
  const { plan } = viewOf(devnet);
  const chains = plan.network.chains.map(({ name }) => name);
  try {
    const [{ agreed, ...result }, { problems: watched }] = await Promise.all([
      showTasks(io, 'comparing', chains, (list) =>
        checkNetwork(plan, readAgreed(devnet.paths), (chain, block, last) => {
          if (block === last) list.done(chain);
          else list.detail(chain, `block ${block} of ${last}`);
        }),
      ),
      freshState(devnet),
    ]);
    if (result.agree) writeAgreed(devnet.paths, agreed);
    // The health watch knows the start and the cause.
    const known = new Set(watched.map(({ subject }) => subject));
    const problems = [...watched, ...result.problems.filter(({ subject }) => !known.has(subject))];
    const divergences = explains ? await explainAll(plan, result.divergences) : result.divergences;
    const [divergence = null] = divergences;
    return {
      result: { ...result, divergence, divergences, problems },
      isWhole: result.problems.every(({ what }) => what !== SILENT),
    };
  } finally {
    closeClients();
  }
}

/** Adds an explanation to each divergence of blocks. A node that is behind has nothing to compare. */
async function explainAll(plan: Plan, divergences: readonly Divergence[]): Promise<readonly Divergence[]> {
  const { explain } = await import('../observe/explain/explain.ts');
  return Promise.all(
    divergences.map(async (divergence) => {
      if (divergence.kind === 'behind') return divergence;
      const explanation = await explain(plan, divergence);
      return { ...divergence, explanation };
    }),
  );
}

/** Returns the result for a devnet that is stopped or failed: there is nothing to compare. */
function notRunning(devnet: Devnet): CheckResult {
  const { state } = viewOf(devnet);
  const { failure } = state;
  return {
    agree: false,
    implementations: 0,
    divergence: null,
    divergences: [],
    problems: [
      {
        subject: devnet.paths.name,
        what: `is not running: it is ${state.phase}`,
        since: state.pausedAt ?? state.startedAt,
        because:
          failure === undefined
            ? `run \`devnet start ${devnet.paths.name}\` to resume it`
            : `${failure.task}: ${failure.cause ?? failure.what}`,
      },
    ],
  };
}

function spoken({ agree, implementations, divergences, problems }: CheckResult, isWhole: boolean): string[] {
  const count = `${implementations} independent implementation${implementations === 1 ? '' : 's'} took part`;
  return [
    ...(agree && implementations > 0 ? [`${isWhole ? 'all nodes' : 'the nodes that answer'} agree; ${count}`] : []),
    ...divergences.flatMap((divergence) => {
      const { fields, reason, explanation } = divergence;
      if (explanation !== undefined) return reportLines(explanation);
      return [
        headline(divergence),
        ...(fields.length > 0 ? [`  fields that differ: ${fields.join(', ')}`] : []),
        `  ${reason}`,
      ];
    }),
    ...problemLines(problems, Date.now()),
  ];
}

function headline({ nodes, chain, kind, block, catchingUp }: Divergence): string {
  const who = `${nodes.join(', ')} of ${chain}`;
  if (kind === 'hash') return `${who} ${nodes.length === 1 ? 'has' : 'have'} a different block ${block}`;
  if (kind === 'refused') return `${who} refused block ${block}`;
  if (catchingUp) return `${who} ${nodes.length === 1 ? 'is' : 'are'} catching up`;
  return `${who} is missing block ${block}`;
}
