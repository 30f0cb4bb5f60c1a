import type { TraceRow, TraceView } from '../../orchestrator/dashboard/trace.ts';
import { Copyable } from '../parts/copy.tsx';
import { useView } from '../store/store.tsx';
import { barOf, milliseconds } from './durations.ts';

/** Time (ms) between two reads: a block becomes safe and final while its page is open. */
const EVERY_MS = 2000;

/** The way of a block from its build to its finality, as processes reported it: a bar for each span. */
export function Waterfall({ hash }: { readonly hash: string }) {
  const { value } = useView<TraceView | null>(`trace?hash=${hash}`, EVERY_MS);
  if (value === undefined) return null;
  if (value === null)
    return <p class="dim">No trace: processes report of blocks that are made while a page of the dashboard is open.</p>;
  return (
    <>
      <h2>Trace</h2>
      <p class="dim">
        {milliseconds(value.ms)} from {new Date(value.from).toISOString().slice(11, 23)} UTC on, id{' '}
        <Copyable value={value.trace} />
      </p>
      <table class="waterfall">
        <thead>
          <tr>
            <th>span</th>
            <th>process</th>
            <th class="number">start</th>
            <th class="number">time</th>
            <th class="wide-only">
              <span class="hidden">bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.spans.map((span) => (
            <Row key={`${span.name} ${span.task}`} span={span} total={value.ms} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({ span, total }: { readonly span: TraceRow; readonly total: number }) {
  const { left, width } = barOf(span, total);
  return (
    <tr>
      <td>{span.name}</td>
      <td>{span.task}</td>
      <td class="number">{milliseconds(span.start)}</td>
      <td class="number">{milliseconds(span.ms)}</td>
      <td class="wide-only bars">
        <span class={`bar ${span.name.split(' ')[0]}`} style={`left:${left}%;width:${width}%`} />
      </td>
    </tr>
  );
}
