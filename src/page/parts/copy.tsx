import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Time (ms) for which a button says that the text is copied. */
const MARK_MS = 1200;

/** A button that copies a text. */
export function Copy({ value }: { readonly value: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(value);
    setDone(true);
    setTimeout(() => setDone(false), MARK_MS);
  };
  return (
    <button type="button" class="copy" aria-label={`copy ${value.slice(0, 80)}`} title="copy" onClick={copy}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {isDone ? <path d="M2 6 L5 9 L10 3" /> : <path d="M1.5 3.5 V10.5 H8.5 V3.5 Z M4 3.5 V1.5 H10.5 V8 H8.5" />}
      </svg>
    </button>
  );
}

/** A text in the font of code with a button that copies it. */
export function Copyable({ value, children }: { readonly value: string; readonly children?: ComponentChildren }) {
  return (
    <span class="copyable">
      <span class="mono">{children ?? value}</span> <Copy value={value} />
    </span>
  );
}
