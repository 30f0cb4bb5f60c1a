import type { TraceService } from '../channel/trace-service.ts';
import type { Plan } from '../plan/plan.ts';
import type { Emit } from '../state/events.ts';
import type { TraceExporter } from '../traces/exporter.ts';
import { traceSettings } from '../traces/settings.ts';

/**
 * Sends traces of blocks where the plan or the environment says. Returns undefined for nowhere: no code for it is
 * loaded then.
 */
export function startTraces(
  { otel, devnet }: Pick<Plan, 'otel' | 'devnet'>,
  env: Readonly<Record<string, string | undefined>>,
  { traces, emit }: { readonly traces: TraceService; readonly emit: Emit },
): { close(): Promise<void> } | undefined {
  const settings = traceSettings(otel?.endpoint, env);
  if (settings === undefined) return undefined;
  const notice = (text: string) => emit({ event: 'notice', text });
  if ('because' in settings) {
    notice(`traces are not sent: ${settings.because}`);
    return undefined;
  }
  const exporter: Promise<TraceExporter> = import('../traces/exporter.ts').then(
    (loaded) => new loaded.TraceExporter(settings, { devnet, traces, notice }),
  );
  return { close: async () => (await exporter).close() };
}
