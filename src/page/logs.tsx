import { useEffect, useRef, useState } from 'preact/hooks';
import type { LogRow } from '../orchestrator/dashboard/log-lines.ts';
import { Choice, Problem, Reading, tasksOf, type ViewProps } from './parts/parts.tsx';
import { useView } from './store/store.tsx';

const ALL = 'all processes';
const LEVELS = ['debug', 'info', 'warn', 'error'];

/** The newest lines of all processes merged by time, or of one. Address: `#/logs/TASK`. */
export function Logs({ store: { picture }, rest }: ViewProps) {
  const tasks = tasksOf(picture);
  const task = tasks.find((each) => each === rest[0]) ?? '';
  const [text, setText] = useState('');
  const [level, setLevel] = useState('debug');
  const [still, setStill] = useState<readonly LogRow[]>();
  const query = new URLSearchParams({ task, grep: text, level });
  const { value, error } = useView<readonly LogRow[]>(still === undefined ? `log?${query}` : undefined, 2000);
  const rows = still ?? value;
  return (
    <>
      <div class="row">
        <Choice
          label="process"
          words={[ALL, ...tasks]}
          value={task === '' ? ALL : task}
          choose={(word) => (location.hash = word === ALL ? '#/logs' : `#/logs/${encodeURIComponent(word)}`)}
        />
        <Choice label="from level" words={LEVELS} value={level} choose={setLevel} />
        <input
          type="search"
          aria-label="search in the logs"
          placeholder="search"
          maxLength={200}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button
          type="button"
          aria-pressed={still !== undefined}
          disabled={rows === undefined}
          onClick={() => setStill(still === undefined ? value : undefined)}
        >
          {still === undefined ? 'pause' : 'go on'}
        </button>
        {rest[0] !== undefined && task === '' && <span class="bad">no process {rest[0]}</span>}
      </div>
      {error !== undefined && <Problem text={error} />}
      {error === undefined && rows === undefined && <Reading />}
      {rows !== undefined && <Rows rows={rows} hasTask={task === ''} />}
    </>
  );
}

/** Lines with the name of their process. The last one is in sight, unless the user scrolls up. */
function Rows({ rows, hasTask }: { readonly rows: readonly LogRow[]; readonly hasTask: boolean }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  });
  return (
    <pre
      ref={place}
      class="tall"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
      }}
    >
      {rows.length === 0 && 'no line in the newest 4 MB that are searched here: `devnet logs --grep` searches all'}
      {rows.map(({ task, level, text }, at) => (
        <div key={String(at)} class={level === 'error' ? 'bad' : level === 'warn' ? 'warn' : ''}>
          {hasTask && <span class="task">{task} </span>}
          {text}
        </div>
      ))}
    </pre>
  );
}
