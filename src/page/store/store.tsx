import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Message } from '../../orchestrator/dashboard/picture-type.ts';
import { isAnother, NOTHING, nextStore, type Store } from './store-state.ts';

let current = NOTHING;
let tell: (store: Store) => void = () => undefined;

/** What `stream.ts` has opened and received before this script. */
declare global {
  interface Window {
    readonly stream?: { readonly source: EventSource; readonly early: readonly string[] };
  }
}

/** Takes over the stream of the server, before anything is drawn. The browser connects again by itself. */
export function connect(): void {
  const { source = new EventSource('/api/stream'), early = [] } = window.stream ?? {};
  const change = (store: Store) => {
    current = store;
    tell(store);
  };
  const receive = (data: string) => {
    const message: Message = JSON.parse(data);
    // The token of a devnet does not open the next one.
    if (message.kind === 'picture' && isAnother(current.picture, message.picture)) sessionStorage.removeItem(KEY);
    change(nextStore(current, message));
  };
  for (const data of early) receive(data);
  source.onmessage = ({ data }) => receive(String(data));
  source.onerror = () => change({ ...current, end: 'the dashboard does not answer', isDown: false });
}

/** Follows the stream. */
export function useStore(): Store {
  const [store, setStore] = useState(current);
  useLayoutEffect(() => {
    tell = setStore;
    setStore(current);
  }, []);
  return store;
}

/** Share of the time that reads of a view may take: a slow answer is asked for less often. */
const MAX_SHARE = 0.1;

/**
 * Reads a view of the server; `every` ms again and again, as long as `isOver` does not hold. A failure is told in
 * words.
 */
export function useView<T>(path: string | undefined, every?: number, isOver?: (value: T) => boolean) {
  const [answer, setAnswer] = useState<{ readonly path: string; readonly value?: T; readonly error?: string }>();
  useEffect(() => {
    if (path === undefined) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const start = performance.now();
      const result = await ask<T>(`/api/read/${path}`);
      if (over) return;
      setAnswer({ path, ...result });
      if (every === undefined || (result.value !== undefined && isOver?.(result.value) === true)) return;
      timer = setTimeout(read, Math.max(every, (performance.now() - start) / MAX_SHARE));
    };
    void read();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [path, every]);
  const isCurrent = answer !== undefined && answer.path === path;
  return { value: isCurrent ? answer.value : undefined, error: isCurrent ? answer.error : undefined };
}

/** Asks the server. A failure is told in words. */
export async function ask<T>(url: string): Promise<{ readonly value?: T; readonly error?: string }> {
  try {
    const response = await fetch(url);
    const body = await response.json().catch(() => ({ error: `the dashboard answered ${response.status}` }));
    return response.ok ? { value: body } : { error: String(body.error) };
  } catch {
    return { error: 'the dashboard does not answer' };
  }
}

const KEY = 'devnet-token';

/** Takes the token out of the address, where `devnet dashboard --open` has put it. */
export function takeToken(): void {
  const token = /^#token=([0-9a-f]{64})$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, '', '#/overview');
}

export const knownToken = (): string => sessionStorage.getItem(KEY) ?? '';

/** Returns whether the page has a text that can be the token. */
export const hasToken = (token = knownToken()): boolean => /^[0-9a-f]{64}$/.test(token);
export const keepToken = (token: string): void => sessionStorage.setItem(KEY, token.trim());

/** Asks the server for a change. Resolves with what was done, or why not. */
export async function act(action: object): Promise<{ readonly text: string; readonly isBad: boolean }> {
  try {
    const response = await fetch('/api/act', {
      method: 'POST',
      headers: { authorization: `Bearer ${knownToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    const body: { done?: string; error?: string } = await response.json();
    return { text: body.done ?? body.error ?? '', isBad: !response.ok };
  } catch {
    return { text: 'the dashboard does not answer', isBad: true };
  }
}
