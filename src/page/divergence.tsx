import { useState } from 'preact/hooks';
import { Lines, type ViewProps } from './parts.tsx';
import { useView } from './store.tsx';

function listed(words: readonly string[], most: number): string {
  const rest = words.length - most;
  return words.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Divergences that stand, and the reports since the start, with one of them whole. */
export function Divergence({ store: { picture } }: ViewProps) {
  const { reports = [], divergences = [] } = picture ?? {};
  const [choice, setChoice] = useState<number>();
  const index = choice ?? reports.length - 1;
  const report = reports[index];
  const { value, error } = useView<{ readonly lines: readonly string[] }>(
    report === undefined ? undefined : `report?index=${index}&of=${report.nodes.join()}${report.block}`,
  );
  return (
    <>
      <h2>Now</h2>
      {divergences.length === 0 &&
        (picture?.isUp === true ? <p class="good">all nodes agree</p> : <p class="dim">the network does not run</p>)}
      {divergences.map(({ chain, block, nodes, how, fields, reason }) => (
        <section key={`${chain} ${nodes.join()} ${block}`}>
          <p class="bad">
            {nodes.map((node) => `${chain}/${node}`).join(', ')}: {how === 'hash' ? 'another' : 'refused'} block {block}
          </p>
          {fields.length > 0 && <p>fields: {listed(fields, 12)}</p>}
          {reason !== '' && <p class="dim broken">{reason.slice(0, 1000)}</p>}
        </section>
      ))}
      <h2>Explanations since the start</h2>
      <div class="row">
        {reports.map(({ chain, block, nodes }, at) => (
          <button
            key={`${chain} ${nodes.join()} ${block}`}
            type="button"
            aria-pressed={at === index}
            onClick={() => setChoice(at)}
          >
            {nodes.map((node) => `${chain}/${node}`).join(', ')}, block {block}
          </button>
        ))}
      </div>
      {report === undefined ? <p class="dim">none</p> : <Lines value={value} error={error} />}
    </>
  );
}
