import { useState } from 'preact/hooks';
import type { Find } from '../../orchestrator/dashboard/explorer/places.ts';
import { ask } from '../store/store.tsx';

/** One field for numbers, hashes, addresses and names of any chain. `chain`: where a number is looked up. */
export function Search({ chain }: { readonly chain: string }) {
  const [word, setWord] = useState('');
  const [finds, setFinds] = useState<readonly Find[]>();
  const [error, setError] = useState<string>();
  const go = async (event: Event) => {
    event.preventDefault();
    const answer = await ask<readonly Find[]>(
      `/api/read/find?chain=${encodeURIComponent(chain)}&word=${encodeURIComponent(word)}`,
    );
    const [first, second] = answer.value ?? [];
    setError(answer.error);
    setFinds(second === undefined && first !== undefined ? undefined : answer.value);
    if (first !== undefined && second === undefined) location.hash = first.to;
  };
  return (
    <form onSubmit={go}>
      <input
        type="search"
        size={30}
        aria-label="number, hash, address or name"
        placeholder="number, hash, address or name"
        maxLength={200}
        value={word}
        onInput={({ currentTarget }) => setWord(currentTarget.value.trim())}
      />
      <button type="submit" disabled={word === ''}>
        show
      </button>
      <span role="status">
        {error !== undefined && <span class="bad">{error}</span>}
        {finds?.length === 0 && <span class="bad">nothing found</span>}
        {finds?.map(({ text, to }) => (
          <a key={to} href={to} style="margin-right:8px">
            {text}
          </a>
        ))}
      </span>
    </form>
  );
}
