import { useState } from 'preact/hooks';
import { Choice, tasksOf, type ViewProps } from './parts.tsx';
import { Snapshots } from './snapshots.tsx';
import { act, keepToken, knownToken } from './store.tsx';

const ACTIONS = ['stop', 'start', 'restart', 'kill', 'pause', 'resume'] as const;

/** Buttons that do what the commands of the same names do. */
export function Control({ store: { picture } }: ViewProps) {
  const [token, setToken] = useState(knownToken());
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const [chosen, setTask] = useState('');
  const [fork, setFork] = useState('');
  const [time, setTime] = useState('+60s');
  const [target, setTarget] = useState('+10s');
  const nodes = picture?.chains.flatMap(({ name, nodes: own }) => own.map((node) => `${name}/${node.name}`)) ?? [];
  const tasks = tasksOf(picture);
  const words = [...nodes, ...tasks];
  const task = words.includes(chosen) ? chosen : (words[0] ?? '');
  const forks = [...new Set(picture?.chains.flatMap((chain) => chain.forks.map((row) => row.fork)))];
  const moved = forks.includes(fork) ? fork : (forks.at(-1) ?? '');

  const run = async (action: object) => {
    setBusy(true);
    setOutcome(await act(action));
    setBusy(false);
  };
  const field = (label: string, value: string, set: (word: string) => void) => (
    <input aria-label={label} size={14} value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
  );
  const submit = (action: object) => (event: Event) => {
    event.preventDefault();
    void run(action);
  };
  return (
    <>
      <label>
        token{' '}
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => {
            setToken(currentTarget.value);
            keepToken(currentTarget.value);
          }}
        />
      </label>
      <p class="dim">
        It is in the file <code>dashboard.token</code> in the folder of the devnet. The command{' '}
        <code>devnet dashboard --open</code> fills it in.
      </p>
      <h2>Processes</h2>
      <div class="row">
        <Choice label="node or process" words={words} value={task} choose={setTask} />
        {ACTIONS.map((action) => (
          <button
            key={action}
            type="button"
            disabled={busy}
            onClick={() =>
              run(action === 'restart' ? { kind: action, node: task } : { kind: 'node', action, node: task })
            }
          >
            {action}
          </button>
        ))}
      </div>
      <h2>Fork times of the chosen node</h2>
      <form onSubmit={submit({ kind: 'override', node: task, fork: moved, time })}>
        <Choice label="fork" words={forks} value={moved} choose={setFork} />
        {field('activation time', time, setTime)}
        <button type="submit" disabled={busy}>
          override
        </button>
        <span class="dim">+60s, now+60s, block:N, never</span>
      </form>
      <h2>Clock</h2>
      <form onSubmit={submit({ kind: 'warp', to: target })}>
        {field('target of the warp', target, setTarget)}
        <button type="submit" disabled={busy}>
          warp
        </button>
        <button type="button" disabled={busy} onClick={() => run({ kind: 'clock', action: 'pause' })}>
          pause the clock
        </button>
        <button type="button" disabled={busy} onClick={() => run({ kind: 'clock', action: 'resume' })}>
          resume the clock
        </button>
        <span class="dim">+10s, fork:NAME, block:N</span>
      </form>
      <Snapshots busy={busy} run={run} />
      <p role="status" class={`outcome ${outcome?.isBad ? 'bad' : 'good'}`}>
        {busy ? 'under way …' : (outcome?.text ?? '')}
      </p>
    </>
  );
}
