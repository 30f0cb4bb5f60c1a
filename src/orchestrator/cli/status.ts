import { EXIT } from '../../system/failure.ts';
import { readHeads } from '../observe/heads.ts';
import { type Status, statusDocument } from '../observe/status.ts';
import { closeClients } from '../probe/call.ts';
import { connectControl } from '../run/control-client.ts';
import type { StateAnswer } from '../run/orders.ts';
import type { CommandDefinition, Io } from './command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, type Devnet, isUp, selectDevnet, viewOf, wantedName } from './select.ts';

export const command: CommandDefinition = {
  name: 'status',
  summary: 'phase, addresses and heads of a devnet',
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const status = await statusOf(io, wantedName(name, options));
    io.stdout(options['json'] === true ? `${JSON.stringify(status, null, 2)}\n` : spoken(status));
    return EXIT.done;
  },
};

/** The status of a devnet: from its supervisor where that runs, else from its files. @throws Failure where there is none */
export async function statusOf(io: Io, name: string | undefined): Promise<Status> {
  const devnet = selectDevnet(io, name);
  const { state, plan } = viewOf(devnet);
  const fresh = await freshState(devnet);
  try {
    return statusDocument(plan, fresh ?? state, isUp(devnet), isUp(devnet) ? await readHeads(plan) : new Map());
  } finally {
    closeClients();
  }
}

async function freshState({ paths, owner }: Devnet) {
  const control = owner ? await connectControl(paths.control) : undefined;
  if (control === undefined) return undefined;
  try {
    return (await control.ask<StateAnswer>({ method: 'state' }, 2000)).state;
  } catch {
    return undefined;
  } finally {
    control.close();
  }
}

function spoken(status: Status): string {
  const lines = [
    `${status.name}  ${status.phase}${status.supervisor === null ? '' : `  supervisor ${status.supervisor}`}`,
    `  L1  ${status.l1.phase}  ${status.l1.rpc}  chain ${status.l1.chainId}  beacon ${status.l1.beacon}`,
  ];
  for (const chain of status.chains) {
    lines.push(`  ${chain.name}  chain ${chain.chainId}  genesis ${chain.genesisHash}`);
    for (const { name, role, phase, el, cl, heads } of chain.nodes) {
      const head = (['unsafe', 'safe', 'finalized'] as const)
        .map((tag) => `${tag} ${heads[tag]?.number ?? '-'}`)
        .join(' ');
      lines.push(
        `    ${name.padEnd(14)} ${role.padEnd(9)} ${phase.padEnd(9)} ${head}`,
        `      ${el.client}  ${el.http}  ${el.ws}`,
        `      ${cl.client}  ${cl.rpc}`,
      );
      for (const { task, detail } of [el, cl]) if (detail !== null) lines.push(`      ${task}: ${detail}`);
    }
    for (const each of [chain.batcher, chain.proposer]) if (each) lines.push(`    ${each.task}  ${each.phase}`);
  }
  const { failure } = status;
  if (failure) {
    lines.push(`  failed: ${failure.task}: ${failure.what}`);
    if (failure.cause !== undefined) lines.push(`    likely cause: ${failure.cause}`);
    if (failure.hint !== undefined) lines.push(`    ${failure.hint}`);
  }
  return `${lines.join('\n')}\n`;
}
