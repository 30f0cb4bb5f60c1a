import { Table, tasksOf, type ViewProps } from './parts/parts.tsx';
import { phaseClass, text } from './parts/values.ts';

/** Resources of each process. */
export function Processes({ store: { picture } }: ViewProps) {
  if (picture === undefined) return null;
  const withLog = new Set(tasksOf(picture));
  return (
    <Table
      columns={[
        'process',
        'client',
        'phase',
        '#pid',
        '#restarts',
        '#% of a core',
        '#memory',
        '#threads',
        '#open files',
      ]}
      rows={picture.processes.map((each) => [
        withLog.has(each.task) ? (
          <a key="task" href={`#/logs/${encodeURIComponent(each.task)}`}>
            {each.task}
          </a>
        ) : (
          each.task
        ),
        each.client,
        <span key="phase" class={phaseClass(each.phase)}>
          {each.phase}
        </span>,
        // The digits of an id have no groups.
        each.pid === null ? '-' : String(each.pid),
        String(each.restarts),
        each.cpu === null ? '-' : (each.cpu * 100).toFixed(1),
        each.residentBytes === null ? '-' : `${Math.round(each.residentBytes / 1e6)} MB`,
        text(each.threads),
        text(each.openFiles),
      ])}
    />
  );
}
