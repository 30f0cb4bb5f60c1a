import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Picture } from '../../orchestrator/dashboard/picture-type.ts';
import type { Store } from '../store/store-state.ts';

/** What every view receives. `rest`: the words of the address after its name. */
export interface ViewProps {
  readonly store: Store;
  readonly rest: readonly string[];
  readonly theme: string;
}

type Cell = ComponentChildren;

/**
 * A table that scrolls sideways in a narrow window. Columns whose title begins with # are right-aligned.
 * `rows`: undefined until they are read.
 */
export function Table({
  columns,
  rows,
  empty,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[] | undefined;
  readonly empty?: string;
}) {
  const wide = useKeyboardScroll();
  if (rows === undefined) return <Reading />;
  if (rows.length === 0 && empty !== undefined) return <p class="dim">{empty}</p>;
  const align = columns.map((title) => (title.startsWith('#') ? 'number' : ''));
  return (
    <div class="wide" ref={wide}>
      <table>
        <thead>
          <tr>
            {columns.map((title, at) => (
              <th key={title} class={align[at] ?? ''}>
                {title.replace(/^#/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={String(row)}>
              {cells.map((cell, at) => (
                <td key={String(at)} class={align[at] ?? ''}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Lets the keyboard scroll an element while it is wider than its place and holds nothing that takes the focus. */
function useKeyboardScroll() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  return place;
}

/** Returns the width (px) of the page's content, also after the window has another size. */
export function useWidth(): number {
  const measure = () => Math.min(1400, document.documentElement.clientWidth) - 24;
  const [width, setWidth] = useState(measure);
  useEffect(() => {
    const follow = () => setWidth(measure());
    addEventListener('resize', follow);
    return () => removeEventListener('resize', follow);
  }, []);
  return width;
}

/** Lines of text, or why there are none. `fromEnd`: the last line is in sight, unless the user scrolls up. */
export function Lines({
  value,
  error,
  fromEnd = false,
}: {
  readonly value: { readonly lines: readonly string[] } | undefined;
  readonly error: string | undefined;
  readonly fromEnd?: boolean;
}) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (fromEnd && isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  });
  if (error !== undefined) return <Problem text={error} />;
  if (value === undefined) return <Reading />;
  return (
    <pre
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
      }}
    >
      {value.lines.length === 0 ? 'no line' : value.lines.join('\n')}
    </pre>
  );
}

/** Stands for what the server has not answered yet. */
export function Reading() {
  return (
    <p class="dim" role="status">
      reading …
    </p>
  );
}

export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="bad" role="alert" style="white-space:pre-wrap">
      {text}
    </p>
  );
}

/** A choice of one of several words. */
export function Choice({
  label,
  words,
  value,
  choose,
}: {
  readonly label: string;
  readonly words: readonly string[];
  readonly value: string;
  choose(word: string): void;
}) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {words.map((word) => (
          <option key={word}>{word}</option>
        ))}
      </select>
    </label>
  );
}

/** The processes of the dashboard's own side: they have no log of the network, and no button. */
const OWN = ['supervisor', 'dashboard'];

/** Returns the names of the processes that have a log and take actions. */
export const tasksOf = (picture: Picture | undefined): readonly string[] =>
  (picture?.processes ?? []).map(({ task }) => task).filter((task) => !OWN.includes(task));
