import type { ExplanationRow } from '../../orchestrator/dashboard/explanation.ts';
import type { Picture } from '../../orchestrator/dashboard/picture-type.ts';
import { Lines, Problem, Reading, Table, type ViewProps } from '../parts/parts.tsx';
import { useView } from '../store/store.tsx';

type Report = Picture['reports'][number];

const placeOf = ({ chain, block, nodes }: Pick<Report, 'chain' | 'block' | 'nodes'>): string =>
  [chain, block, nodes[0] ?? ''].map(encodeURIComponent).join('/');

/** Divergences that stand, and the comparison of one of them or of an earlier one. Address: `…/CHAIN/BLOCK/NODE`. */
export function Divergence({ store: { picture }, rest }: ViewProps) {
  const { reports = [], divergences = [] } = picture ?? {};
  const address = rest.map(encodeURIComponent).join('/');
  const report = address === '' ? reports.at(-1) : reports.findLast((each) => placeOf(each) === address);
  const unexplained = divergences.filter((each) => !reports.some((other) => placeOf(other) === placeOf(each)));
  return (
    <>
      {divergences.length === 0 &&
        (picture?.isUp === true ? <p class="good">all nodes agree</p> : <p class="dim">the network does not run</p>)}
      {unexplained.map(({ chain, block, nodes, how, fields, reason }) => (
        <section key={`${chain} ${nodes.join()} ${block}`}>
          <h2 class="bad">
            {nodes.map((node) => `${chain}/${node}`).join(', ')}: {how === 'hash' ? 'another' : 'refused'} block {block}
          </h2>
          <p>the cause is being looked for{fields.length === 0 ? '' : `; fields that differ: ${fields.join(', ')}`}</p>
          {reason !== '' && <p class="dim broken">{reason.slice(0, 1000)}</p>}
        </section>
      ))}
      {reports.length > 1 && (
        <p class="row">
          {reports.map((each) => (
            <a
              key={placeOf(each)}
              href={`#/divergence/${placeOf(each)}`}
              {...(each === report ? { 'aria-current': 'true' as const } : {})}
            >
              {each.nodes.map((node) => `${each.chain}/${node}`).join(', ')}, block {each.block}
              {each.isOver ? ' (over)' : ''}
            </a>
          ))}
        </p>
      )}
      {report !== undefined && <Comparison key={placeOf(report)} report={report} />}
      {report === undefined &&
        (address === '' ? (
          <p class="dim">no divergence was explained since the start</p>
        ) : (
          <p class="dim">no report of {rest.join(' ')}</p>
        ))}
    </>
  );
}

/** The cause, both sides of each field that differs, and the text of the report. */
function Comparison({ report }: { readonly report: Report }) {
  const { chain, block, nodes, cause, isOver } = report;
  const query = new URLSearchParams({ chain, block: String(block), node: nodes[0] ?? '' });
  const { value, error } = useView<{ readonly lines: readonly string[]; readonly explanation: ExplanationRow | null }>(
    `report?${query}`,
  );
  const minority = nodes.map((node) => `${chain}/${node}`).join(', ');
  const explanation = value?.explanation;
  return (
    <section>
      <h2 class={isOver ? 'broken' : 'bad broken'}>
        {minority} left the chain at <a href={`#/blocks/${encodeURIComponent(chain)}/${block}`}>block {block}</a>
        {cause === null ? '' : `: ${cause}`}
        {isOver ? ' (over: they agree again)' : ''}
      </h2>
      {error !== undefined && <Problem text={error} />}
      {value === undefined && error === undefined && <Reading />}
      {explanation != null && explanation.fields.length > 0 && (
        <Table
          columns={['field', `majority: ${chain}/${explanation.against}`, `minority: ${minority}`]}
          rows={explanation.fields.map(({ field, majority, minority: other }) => [
            field,
            <Value key="majority" text={majority} />,
            <Value key="minority" text={other} />,
          ])}
        />
      )}
      <p class="row">
        <a class="button" href={`/api/read/document?${query}`} download={`${chain}-${block}-${nodes[0]}.json`}>
          download the report
        </a>
        <span class="dim">
          JSON, with both sides of each value; <code>devnet check --explain</code> makes it anew
        </span>
      </p>
      {value !== undefined && (
        <details>
          <summary>the report as text</summary>
          <Lines value={value} error={undefined} />
        </details>
      )}
    </section>
  );
}

/** Letters of a value that are shown; the title has more of them. */
const MAX_VALUE_CHARS = 66;

function Value({ text }: { readonly text: string | null }) {
  if (text === null) return <span class="dim">absent</span>;
  const isLong = text.length > MAX_VALUE_CHARS;
  return (
    <span class="mono value" title={text.slice(0, 2000)}>
      {isLong ? `${text.slice(0, 40)}… (${text.length} letters)` : text}
    </span>
  );
}
