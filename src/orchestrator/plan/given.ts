import type { ProcessSpec } from '../spec/schema/types.ts';
import type { ClientTemplate, OptionsTemplate, Text } from '../template/template.ts';
import { textsOf } from './reads.ts';

/** A client's template, the options of its role, and what the spec says of the process. */
export interface GivenParts {
  readonly template: ClientTemplate;
  /** Options of the template for the node's role. */
  readonly role?: OptionsTemplate | undefined;
  readonly process: Pick<ProcessSpec, 'args' | 'env'>;
  /** Activation times that the program receives by flags. */
  readonly overrides?: Readonly<Record<string, string | number>>;
}

/** Lists every text of a template that reaches the program. `more`: arguments in place of those of their names. */
export function textsGiven(
  { template, role, process, overrides }: GivenParts,
  more: OptionsTemplate['args'] = {},
): readonly Text[] {
  const replaced = { ...overrides, ...process.args };
  const args = Object.entries({ ...template.args, ...role?.args, ...more }).filter(([name]) => !(name in replaced));
  const env = Object.entries({ ...template.env, ...role?.env }).filter(([name]) => !(name in process.env));
  return [
    ...template.command,
    ...textsOf(Object.fromEntries(args)),
    ...env.map(([, text]) => text),
    ...template.prepare.flatMap((step) => [...step.command, ...textsOf(step.args), ...step.operands]),
    ...(template.rewind === undefined ? [] : [...template.rewind.command, ...textsOf(template.rewind.args)]),
  ];
}

/** Returns whether a task's port is open with the arguments that the task receives. */
export function isPortOpen({ template, role, process }: GivenParts, name: string): boolean {
  const port = template.ports[name];
  if (port === undefined) return false;
  const args = { ...template.args, ...role?.args, ...process.args };
  const isGiven = (key: string) => !['undefined', 'null', 'false'].includes(String(args[key]));
  return (port.with === undefined || isGiven(port.with)) && (port.without === undefined || !isGiven(port.without));
}
