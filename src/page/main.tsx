import { type ComponentType, render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Forks } from './forks/forks.tsx';
import { Logs } from './logs.tsx';
import { Divergence } from './overview/divergence.tsx';
import { Overview } from './overview/overview.tsx';
import { problemCards } from './overview/problem-cards.ts';
import { stateOf, type TabTitle, tabTitle } from './overview/title.ts';
import { Reading, type ViewProps } from './parts/parts.tsx';
import { Processes } from './processes.tsx';
import { connect, takeToken, useStore } from './store/store.tsx';
import type { Store } from './store/store-state.ts';

/** A view whose script is loaded when it is opened first: the first page does not wait for it. */
function later(load: () => Promise<ComponentType<ViewProps>>): ComponentType<ViewProps> {
  let ready: ComponentType<ViewProps> | undefined;
  return (props) => {
    const [View, setView] = useState(() => ready);
    useEffect(() => {
      void load().then((view) => {
        ready = view;
        setView(() => view);
      });
    }, []);
    return View === undefined ? <Reading /> : <View {...props} />;
  };
}

const Heads = later(async () => (await import('./heads/heads.tsx')).Heads);
const Blocks = later(async () => (await import('./explorer/blocks.tsx')).Blocks);
const Batches = later(async () => (await import('./explorer/batches.tsx')).Batches);
const Bridge = later(async () => (await import('./explorer/bridge.tsx')).Bridge);
const Connect = later(async () => (await import('./connect/connect.tsx')).Connect);
const Control = later(async () => (await import('./control/control.tsx')).Control);

const VIEWS = {
  overview: ['Overview', Overview],
  heads: ['Heads', Heads],
  forks: ['Forks', Forks],
  blocks: ['Blocks', Blocks],
  batches: ['Batches', Batches],
  bridge: ['Bridge', Bridge],
  divergence: ['Divergence', Divergence],
  processes: ['Processes', Processes],
  logs: ['Logs', Logs],
  control: ['Control', Control],
  connect: ['Connect', Connect],
} as const;

type ViewName = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS);
const isView = (name: string | undefined): name is ViewName => name !== undefined && NAMES.includes(name);

/** Reads the view, and what it shows, from the address: `#/blocks/main/40`. Undefined: there is no such view. */
function usePlace(): { readonly view: ViewName | undefined; readonly rest: readonly string[] } {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const [view, ...rest] = hash.replace(/^#\//, '').split('/').map(decoded);
  return { view: isView(view) ? view : view === '' || view === undefined ? 'overview' : undefined, rest };
}

/** Decodes a word of the address, which a user may have typed. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

function useTheme(): readonly [string, () => void] {
  const preference = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const [theme, setTheme] = useState(localStorage.getItem('devnet-theme') ?? preference);
  // Plots read the colours while they are drawn: before any effect.
  document.documentElement.dataset['theme'] = theme;
  const turn = () => {
    const other = theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem('devnet-theme', other);
    setTheme(other);
  };
  return [theme, turn];
}

/** Keys 1 to 9, 0 and c select a view, as long as no field has the focus. */
function useKeys(): void {
  useEffect(() => {
    const press = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
      if (ctrlKey || altKey || metaKey) return;
      if (target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
      const name = /^\d$/.test(key) ? NAMES[(Number(key) + 9) % 10] : key === 'c' ? 'connect' : undefined;
      if (name !== undefined) location.hash = `#/${name}`;
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function Page() {
  const store = useStore();
  const { view, rest } = usePlace();
  const [theme, turn] = useTheme();
  useKeys();
  const [title, View] = view === undefined ? (['unknown address', UnknownAddress] as const) : VIEWS[view];
  useTitle(tabTitle(store, title));
  return (
    <>
      <Header store={store} theme={theme} turn={turn} />
      <nav aria-label="views">
        {Object.entries(VIEWS).map(([name, [title]], index) => (
          <a
            key={name}
            href={`#/${name}`}
            title={index < 10 ? `key ${(index + 1) % 10}` : 'key c'}
            {...(name === view ? { 'aria-current': 'page' as const } : {})}
          >
            {title}
          </a>
        ))}
      </nav>
      <main class={store.end === undefined || store.isDown ? '' : 'stale'}>
        <Content store={store}>
          {/* Another devnet of that name has no state of the one before. */}
          <View key={store.picture?.id} store={store} rest={rest} theme={theme} />
        </Content>
      </main>
    </>
  );
}

/** The view, or why there is none: one of both, and never a view that still reads. */
function Content({ store: { picture, end, isDown }, children }: { readonly store: Store; readonly children: VNode }) {
  if (isDown)
    return (
      <p class="bad" role="alert" style="white-space:pre-wrap">
        {end}
      </p>
    );
  if (picture !== undefined) return children;
  return end === undefined ? <p class="dim">reading the network …</p> : null;
}

/** Stands for an address that has no view. */
function UnknownAddress() {
  return (
    <>
      <h2 class="bad">unknown address</h2>
      <p class="broken">
        There is no page <code>{location.hash}</code>. Choose one of those above, or the{' '}
        <a href="#/overview">overview</a>.
      </p>
    </>
  );
}

/** Shows a title and an icon in the tab of the browser. */
function useTitle({ text, icon }: TabTitle): void {
  useEffect(() => {
    document.title = text;
  }, [text]);
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', icon);
  }, [icon]);
}

function Header({ store, theme, turn }: { readonly store: Store; readonly theme: string; turn(): void }) {
  const { picture, end, isDown } = store;
  const clock = picture && new Date(picture.clock.at).toISOString().slice(0, 19).split('T');
  const rate = picture?.clock.rate ?? 1;
  const state = stateOf(store);
  const problems = picture?.isUp && end === undefined ? problemCards(picture).length : 0;
  return (
    <header>
      <h1>{picture?.name ?? 'devnet'}</h1>
      {picture && (
        <strong class={state.kind === 'good' ? 'good' : 'bad'}>
          {state.word}
          {problems === 0 ? '' : `: ${problems} problem${problems === 1 ? '' : 's'}`}
        </strong>
      )}
      {picture && (
        <span class="dim">
          <span class="wide-only">{clock?.[0]}</span> {clock?.[1]} <span class="wide-only">UTC</span>{' '}
          {rate === 1 ? '' : rate === 0 ? 'stands' : `at ${rate} times the speed`}
        </span>
      )}
      {end !== undefined && !isDown && (
        <span class="bad" role="alert">
          {end}
          {picture && `: what you see is of ${new Date(picture.at).toISOString().slice(11, 19)} UTC`}
        </span>
      )}
      <button type="button" onClick={turn} style="margin-left:auto" aria-label="light or dark">
        {theme === 'dark' ? 'light' : 'dark'}
      </button>
    </header>
  );
}

connect();
takeToken();
const place = document.getElementById('page');
if (place !== null) render(<Page />, place);
