import { phaseClass, Table, text, type ViewProps } from './parts.tsx';

/** Resources of each process. */
export function Processes({ store: { picture } }: ViewProps) {
  if (picture === undefined) return null;
  return (
    <Table
      columns={['process', 'client', 'phase', '#pid', '#restarts', '#processor', '#memory', '#threads', '#files']}
      rows={picture.processes.map((each) => [
        each.task === 'supervisor' ? (
          each.task
        ) : (
          <a key="task" href={`#/logs/${encodeURIComponent(each.task)}`}>
            {each.task}
          </a>
        ),
        each.client,
        <span key="phase" class={phaseClass(each.phase)}>
          {each.phase}
        </span>,
        text(each.pid),
        String(each.restarts),
        each.cpu === null ? '-' : `${(each.cpu * 100).toFixed(1)} %`,
        each.residentBytes === null ? '-' : `${Math.round(each.residentBytes / 1048576)} MB`,
        text(each.threads),
        text(each.openFiles),
      ])}
    />
  );
}
