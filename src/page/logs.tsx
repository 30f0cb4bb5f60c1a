import { useState } from 'preact/hooks';
import { Choice, Lines, tasksOf, type ViewProps } from './parts/parts.tsx';
import { useView } from './store/store.tsx';

/** The end of a process's log, or its last lines with a text. Address: `#/logs/TASK`. */
export function Logs({ store: { picture }, rest }: ViewProps) {
  const tasks = tasksOf(picture);
  const task = tasks.find((each) => each === rest[0]) ?? tasks[0] ?? '';
  const [query, setQuery] = useState('');
  const path = `log?task=${encodeURIComponent(task)}&grep=${encodeURIComponent(query)}`;
  const { value, error } = useView<{ readonly lines: readonly string[] }>(path, 2000);
  return (
    <>
      <div class="row">
        <Choice
          label="process"
          words={tasks}
          value={task}
          choose={(word) => (location.hash = `#/logs/${encodeURIComponent(word)}`)}
        />
        <input
          type="search"
          aria-label="search in the log"
          placeholder="search"
          maxLength={200}
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </div>
      <Lines value={value} error={error} fromEnd />
    </>
  );
}
