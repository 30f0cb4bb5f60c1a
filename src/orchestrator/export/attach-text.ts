import { stringify } from 'yaml';
import type { Plan } from '../plan/plan.ts';
import { attachDocument } from './attach-document.ts';
import { publicPorts, type Unit } from './unit.ts';

/** Renders the file by which `devnet attach` finds an exported network, whose public ports lead to this machine. */
export function attachText(
  plan: Plan,
  units: readonly Unit[],
  paths: { readonly networkFolder: string; readonly secretsFile: string },
  isPublic: (chain: string) => boolean,
): string {
  const port = (task: string, name: string) =>
    units
      .filter(({ tasks }) => tasks.includes(task))
      .flatMap(publicPorts)
      .find((each) => each.name === name)?.port;
  const { name, l1, chains } = attachDocument(plan, port, isPublic);
  const head = '# `devnet attach attach.yaml` watches this network from the machine on which it runs.\n';
  const exported = { network: `./${paths.networkFolder}`, secrets: `./${paths.secretsFile}` };
  return head + stringify({ name, l1, export: exported, chains }, { lineWidth: 0 });
}
