import type { ChainView, Command, Plan } from './plan.ts';
import { secretFiles } from './secret-files.ts';

const REDACTED = '[redacted]';

/** Replaces secrets in texts: keys and JWT secrets in hex, with and without 0x, in small and capital letters. */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const words = [...secrets].map((secret) => secret.trim().replace(/^0x/, '')).filter((word) => word !== '');
  if (words.length === 0) return (text) => text;
  const pattern = new RegExp(words.map((word) => word.replace(/[^\w]/g, '\\$&')).join('|'), 'gi');
  return (text) => text.replace(pattern, REDACTED);
}

/** Collects every secret of a network: those of its processes and the contents of its secret files. */
export function secretsOf({ files, tasks }: Pick<Plan, 'files' | 'tasks'>): ReadonlySet<string> {
  return new Set([...tasks.flatMap(({ secrets }) => secrets), ...secretFiles(files).keys()]);
}

/** Redacts a plan for printing. Private keys of accounts are left out too; `devnet accounts` prints them. */
export function redactPlan(plan: Plan): Plan {
  const hide = redactor(secretsOf(plan));
  const hideIn = (command: Command): Command => ({
    ...command,
    argv: command.argv.map(hide),
    env: Object.fromEntries(Object.entries(command.env).map(([name, value]) => [name, hide(value)])),
  });
  return {
    ...plan,
    files: plan.files.map((file) => (file.secret ? { ...file, content: { kind: 'text', text: REDACTED } } : file)),
    tasks: plan.tasks.map((task) => ({
      ...task,
      prepare: task.prepare.map(hideIn),
      command: hideIn(task.command),
      ...(task.rewind === undefined ? {} : { rewind: hideIn(task.rewind) }),
      ...(task.resume === undefined ? {} : { resume: { ...task.resume, command: hideIn(task.resume.command) } }),
      secrets: task.secrets.map(() => REDACTED),
    })),
    network: {
      ...plan.network,
      chains: plan.network.chains.map((chain) => ({ ...chain, accounts: withoutKeys(chain.accounts) })),
    },
  };
}

/** Removes the private keys from accounts. */
export function withoutKeys(accounts: ChainView['accounts']): ChainView['accounts'] {
  return accounts.map(({ privateKey: _, ...account }) => account);
}
