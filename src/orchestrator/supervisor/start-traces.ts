import type { TraceService } from '../channel/trace-service.ts';
import type { Plan } from '../plan/plan.ts';
import type { StateRecord } from '../record/state-record.ts';
import { type Problem, problemLine } from '../state/problem.ts';
import type { TraceExporter } from '../traces/exporter.ts';
import { traceSettings } from '../traces/settings.ts';

/**
 * Sends traces of blocks where the plan or the environment says. Returns undefined for nowhere: no code for it is
 * loaded then.
 */
export function startTraces(
  { otel, devnet }: Pick<Plan, 'otel' | 'devnet'>,
  env: Readonly<Record<string, string | undefined>>,
  traces: TraceService,
  record: Pick<StateRecord, 'emit' | 'traces'>,
): { close(): Promise<void> } | undefined {
  const settings = traceSettings(otel?.endpoint, env);
  if (settings === undefined) return undefined;
  const report = (problem: Problem | undefined) => {
    record.traces(problem);
    if (problem !== undefined) record.emit({ event: 'notice', text: problemLine(problem) });
  };
  if ('because' in settings) {
    report({ subject: 'traces', what: 'are not sent', since: Date.now(), because: settings.because });
    return undefined;
  }
  const exporter: Promise<TraceExporter> = import('../traces/exporter.ts').then(
    (loaded) => new loaded.TraceExporter(settings, { devnet, traces, report }),
  );
  return { close: async () => (await exporter).close() };
}
