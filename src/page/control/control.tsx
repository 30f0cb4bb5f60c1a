import { useState } from 'preact/hooks';
import { Choice, tasksOf, type ViewProps } from '../parts/parts.tsx';
import { act, hasToken, keepToken, knownToken } from '../store/store.tsx';
import { ActionButton, type ActionProps, Reason } from './action-button.tsx';
import { Confirmation, type Question } from './confirmation.tsx';
import { Snapshots } from './snapshots.tsx';

const ACTIONS = ['stop', 'start', 'restart', 'kill', 'pause', 'resume'] as const;

/** What is lost by these actions: they are asked about once. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  stop: 'Its processes end, and its blocks wait until it is started again.',
  kill: 'Its processes are killed without a chance to write what they hold.',
};

/** Buttons that do what the commands of the same names do. */
export function Control({ store: { picture } }: ViewProps) {
  const [busy, setBusy] = useState(false);
  const [token, setToken] = useState(knownToken());
  const [question, setQuestion] = useState<Question>();
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const [choice, setTask] = useState('');
  const chains = picture?.chains ?? [];
  const nodes = chains.flatMap((chain) => chain.nodes.map((node) => `${chain.name}/${node.name}`));
  const words = [...nodes, ...tasksOf(picture)];
  const task = words.includes(choice) ? choice : (words[0] ?? '');
  const forks = [...new Set(chains.flatMap((chain) => chain.forks.map((row) => row.fork)))];
  const run = async (action: object) => {
    setBusy(true);
    setOutcome(await act(action));
    setBusy(false);
  };
  const reason = hasToken(token) ? undefined : `disabled: ${tokenFault(token)}`;
  const state = { disabled: busy || reason !== undefined, reason, run };
  return (
    <>
      <Token token={token} setToken={setToken} />
      <h2>Processes</h2>
      <div class="row">
        <Choice label="node or process" words={words} value={task} choose={setTask} />
        {ACTIONS.map((action) => (
          <ActionButton
            key={action}
            state={state}
            group="processes"
            press={() => {
              const sent = action === 'restart' ? { kind: action, node: task } : { kind: 'node', action, node: task };
              const consequence = CONSEQUENCES[action];
              if (consequence === undefined) void run(sent);
              else setQuestion({ text: `${action} ${task}? ${consequence}`, verb: `${action} it`, action: sent });
            }}
          >
            {action}
          </ActionButton>
        ))}
        <Reason group="processes" reason={reason} />
      </div>
      <ForkTimes node={task} forks={forks} {...state} />
      <Clock {...state} />
      <Snapshots {...state} />
      <Confirmation
        question={question}
        answer={(confirmed) => {
          setQuestion(undefined);
          if (confirmed && question !== undefined) void run(question.action);
        }}
      />
      <p role="status" class={`outcome ${outcome?.isBad ? 'bad' : 'good'}`}>
        {busy ? 'under way …' : (outcome?.text ?? '')}
      </p>
    </>
  );
}

const tokenFault = (token: string): string =>
  token === '' ? 'there is no token' : 'a token has 64 digits and letters a to f';

/** The token that every action needs. */
function Token({ token, setToken }: { readonly token: string; setToken(token: string): void }) {
  return (
    <>
      <label>
        token{' '}
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => {
            const value = currentTarget.value.trim();
            setToken(value);
            keepToken(value);
          }}
        />
      </label>
      {!hasToken(token) && (
        <p class="bad" role="status">
          All buttons are disabled: {tokenFault(token)}.
        </p>
      )}
      <p class="dim">
        It is in the file <code>dashboard.token</code> in the folder of the devnet. The command{' '}
        <code>devnet dashboard --open</code> fills it in.
      </p>
    </>
  );
}

function ForkTimes({
  node,
  forks,
  ...state
}: ActionProps & { readonly node: string; readonly forks: readonly string[] }) {
  const [choice, setFork] = useState('');
  const [time, setTime] = useState('+60s');
  const fork = forks.includes(choice) ? choice : (forks.at(-1) ?? '');
  return (
    <>
      <h2>Fork times of the chosen node</h2>
      <form onSubmit={submission(state.run, { kind: 'override', node, fork, time })}>
        <Choice label="fork" words={forks} value={fork} choose={setFork} />
        <Field label="activation time" value={time} set={setTime} />
        <ActionButton state={state} group="forks">
          override
        </ActionButton>
        <span class="dim">+60s, now+60s, block:N, never</span>
        <Reason group="forks" reason={state.reason} />
      </form>
    </>
  );
}

function Clock(state: ActionProps) {
  const { run } = state;
  const [target, setTarget] = useState('+10s');
  return (
    <>
      <h2>Clock</h2>
      <form onSubmit={submission(run, { kind: 'warp', to: target })}>
        <Field label="target of the warp" value={target} set={setTarget} />
        <ActionButton state={state} group="clock">
          warp
        </ActionButton>
        <ActionButton state={state} group="clock" press={() => void run({ kind: 'clock', action: 'pause' })}>
          pause the clock
        </ActionButton>
        <ActionButton state={state} group="clock" press={() => void run({ kind: 'clock', action: 'resume' })}>
          resume the clock
        </ActionButton>
        <span class="dim">+10s, fork:NAME, block:N</span>
        <Reason group="clock" reason={state.reason} />
      </form>
    </>
  );
}

function Field({ label, value, set }: { readonly label: string; readonly value: string; set(word: string): void }) {
  return <input aria-label={label} size={14} value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />;
}

/** Returns the handler of a form that sends an action. */
const submission = (run: ActionProps['run'], action: object) => (event: Event) => {
  event.preventDefault();
  void run(action);
};
