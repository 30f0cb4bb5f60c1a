import type { ComponentChildren } from 'preact';
import { plainText } from '../parts/values.ts';

/** Names and values of one thing, a line each. A value that is null has no line. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren | null])[] }) {
  return (
    <dl>
      {rows
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Letters of a value that are shown before it is unfolded. */
const MAX_SHORT_CHARS = 200;
/** Letters of a value that are shown at all. */
const MAX_LONG_CHARS = 20_000;

/** A value that a contract chose: text only, without control characters, folded if it is long. */
export function Foreign({ value }: { readonly value: unknown }) {
  const text = plainText(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
  if (text.length <= MAX_SHORT_CHARS) return <span class="mono broken">{text}</span>;
  return (
    <details>
      <summary class="mono broken">
        {text.slice(0, MAX_SHORT_CHARS)}… ({text.length} letters)
      </summary>
      <span class="mono broken">{text.slice(0, MAX_LONG_CHARS)}</span>
    </details>
  );
}
