import type { Plan } from './plan.ts';

const REDACTED = '[redacted]';

/** The plan as it is printed: contents of secret files and secret values in the environment are left out. */
export function redactPlan(plan: Plan): Plan {
  return {
    ...plan,
    files: plan.files.map((file) => (file.secret ? { ...file, content: { kind: 'text', text: REDACTED } } : file)),
    tasks: plan.tasks.map((task) => {
      const hide = (text: string) => task.secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
      const env = (values: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(value)]));
      return {
        ...task,
        prepare: task.prepare.map((command) => ({ ...command, env: env(command.env) })),
        command: { ...task.command, env: env(task.command.env) },
        secrets: task.secrets.map(() => REDACTED),
      };
    }),
  };
}
