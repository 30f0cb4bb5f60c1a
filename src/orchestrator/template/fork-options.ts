import type { ClientTemplate, OverrideTemplate } from './template.ts';

/** The part of a template that can be written down. */
export type TemplateData = Omit<ClientTemplate, 'override' | 'takesOverride'>;

/** Returns the template of its data, with the option by which each fork's override reaches its client. */
export function withOverrides(data: TemplateData): ClientTemplate {
  const override = (fork: string) => overrideOf(data.forks, fork);
  return { ...data, override, takesOverride: (fork) => override(fork).how !== 'none' };
}

/** `forks.<name>` before `forks.override`. */
function overrideOf(forks: ClientTemplate['forks'], fork: string): OverrideTemplate {
  const rule = forks[fork] ?? forks['override'] ?? 'none';
  if (typeof rule === 'string') return { how: rule };
  return { how: 'flag', flag: rule.flag.replace('*', fork) };
}
