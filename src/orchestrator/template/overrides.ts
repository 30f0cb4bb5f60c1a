import type { ClientTemplate, OverrideTemplate } from './template.ts';

/** What of a template can be written down. */
export type TemplateData = Omit<ClientTemplate, 'override' | 'takesOverride'>;

/** The template of its data. */
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
