import { EXIT } from '../../../system/failure.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { statusOf } from '../../devnet/status-of.ts';
import { endedReportLines, standingReportLines } from '../../divergence/report-lines.ts';
import { faultsOf, faultText, timeText } from '../../faults/describe.ts';
import { skewText } from '../../health/skew.ts';
import { isoTime } from '../../status/forks.ts';
import type { Heads } from '../../status/heads.ts';
import { problemLines } from '../../status/problem-lines.ts';
import type { Status } from '../../status/status.ts';
import { fitToTerminal } from '../../terminal/fit.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'status',
  group: 'look at a network',
  summary: 'print phase, addresses and heads of a devnet',
  examples: ['devnet status', 'devnet status default --json'],
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const status = await statusOf(selectDevnet(io, wantedName(name, options)));
    io.stdout(
      options['json'] === true ? `${JSON.stringify(status, null, 2)}\n` : fitToTerminal(io, statusText(status)),
    );
    return EXIT.done;
  },
};

function statusText(status: Status): string {
  const isUp = status.supervisor !== null;
  const lines = [
    `${status.name}  ${status.phase}${status.supervisor === null ? '' : `  supervisor ${status.supervisor}`}`,
    ...problemLines(status.problems, Date.now()).map((line) => `  ${line}`),
    ...faultsOf(status.faults).map(
      (fault) => `  FAULT    ${fault.id}: ${faultText(fault)}, ${timeText(fault, Date.now() + status.offsetMs)}`,
    ),
    ...(isUp ? standingReportLines(status.reports, Date.now()).map((line) => `  ${line}`) : []),
    `  L1  ${status.l1.phase}  ${status.l1.rpc}  chain ${status.l1.chainId}  beacon ${status.l1.beacon}`,
  ];
  if (status.dashboard !== null) lines.push(`  dashboard  ${status.dashboard}`);
  else if (status.dashboardEnd !== null)
    lines.push(`  dashboard  ${status.dashboardEnd}; \`devnet dashboard ${status.name}\` serves it again`);
  if (status.traces !== null) lines.push(...problemLines([status.traces], Date.now()).map((line) => `  ${line}`));
  for (const chain of status.chains) {
    lines.push(`  ${chain.name}  chain ${chain.chainId}  genesis ${chain.genesisHash}`);
    for (const { name, role, phase, overrides, el, cl, conductor, heads } of chain.nodes) {
      const part = name === chain.leader ? 'leader' : role;
      lines.push(
        `    ${name.padEnd(14)} ${part.padEnd(9)} ${phase.padEnd(9)} ${headText(heads, el.pid)}`,
        ...overrideLines(overrides),
        `      ${el.client}  ${el.http}  ${el.ws}${versionText(el)}${argumentText(el)}${clockText(el)}`,
        `      ${cl.client}  ${cl.rpc}${versionText(cl)}${argumentText(cl)}${clockText(cl)}`,
        ...conductorLines(conductor),
      );
      const subjects = new Set(status.problems.map(({ subject }) => subject));
      for (const { task, detail } of [el, cl])
        if (detail !== null && !subjects.has(task)) lines.push(`      ${task}: ${detail}`);
    }
    for (const each of [chain.batcher, chain.proposer, chain.challenger, chain.signer, chain.daServer, chain.conductor])
      if (each)
        lines.push(`    ${each.task}  ${each.phase}${versionText(each)}${argumentText(each)}${clockText(each)}`);
  }
  lines.push(...endedReportLines(status.reports, isUp).map((line) => `  ${line}`));
  const { failure } = status;
  if (failure) {
    lines.push(`  failed: ${failure.task}${versionText({ version: failure.version ?? null })}: ${failure.what}`);
    if (failure.cause !== undefined) lines.push(`    likely cause: ${failure.cause}`);
    if (failure.hint !== undefined) lines.push(`    ${failure.hint}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Formats the heads of a node, or the reason why its running process did not answer. */
function headText(heads: Heads, pid: number | null): string {
  if (heads.unanswered !== undefined && pid !== null) return `does not answer (${heads.unanswered})`;
  return (['unsafe', 'safe', 'finalized'] as const).map((tag) => `${tag} ${heads[tag]?.number ?? '-'}`).join(' ');
}

function versionText({ version }: { readonly version: string | null }): string {
  return version === null ? '' : `  (${version})`;
}

function argumentText({ args }: { readonly args: Readonly<Record<string, string | null>> }): string {
  const words = Object.entries(args).map(([name, value]) => (value === null ? `no --${name}` : `--${name}=${value}`));
  return words.length === 0 ? '' : `  with ${words.join(' ')}`;
}

function clockText({ skewMs }: { readonly skewMs: number }): string {
  return skewMs === 0 ? '' : `  clock ${skewText(skewMs)}`;
}

function conductorLines(conductor: Status['chains'][number]['nodes'][number]['conductor']): readonly string[] {
  return conductor === null ? [] : [`      conductor  ${conductor.phase}  ${conductor.rpc}${versionText(conductor)}`];
}

function overrideLines(overrides: Status['chains'][number]['nodes'][number]['overrides']): string[] {
  const forks = Object.entries(overrides).map(([fork, time]) => `${fork} ${time === null ? 'never' : isoTime(time)}`);
  return forks.length === 0 ? [] : [`      overrides  ${forks.join(', ')}`];
}
