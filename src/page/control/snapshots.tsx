import { useRef, useState } from 'preact/hooks';
import { Problem, Table } from '../parts/parts.tsx';
import { useView } from '../store/store.tsx';
import { ActionButton, type ActionProps, Reason } from './action-button.tsx';

interface Row {
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly saved: number;
}

/** Saves the state of the network under a name, lists all saved states, and takes the network back to one. */
export function Snapshots(state: ActionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [name, setName] = useState('');
  const [restored, setRestored] = useState<string>();
  const { value, error } = useView<readonly Row[]>('snapshots', 3000);
  const open = (snapshot?: string) => {
    setRestored(snapshot);
    dialog.current?.showModal();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    dialog.current?.close();
    const action = restored === undefined ? 'save' : 'restore';
    void state.run({ kind: 'snapshot', action, name: restored ?? name });
  };
  return (
    <>
      <h2>Snapshots</h2>
      <div class="row">
        <ActionButton state={state} group="snapshots" press={() => open()}>
          save a snapshot
        </ActionButton>
        <Reason group="snapshots" reason={state.reason} />
        <span class="dim">
          the state of every process at one moment; <code>devnet down</code> keeps it
        </span>
      </div>
      {error === undefined ? (
        <Table
          columns={['snapshot', '#MB', 'saved (UTC)', '']}
          empty="none yet"
          rows={value?.map((each) => [
            each.name,
            (each.bytes / 1e6).toFixed(1),
            new Date(each.saved).toISOString().slice(0, 19).replace('T', ' '),
            <ActionButton
              key="restore"
              state={state}
              group="snapshots"
              label={`restore ${each.name}`}
              press={() => open(each.name)}
            >
              restore
            </ActionButton>,
          ])}
        />
      ) : (
        <Problem text={error} />
      )}
      <dialog ref={dialog} aria-label="snapshot">
        <form onSubmit={submit}>
          {restored === undefined ? (
            <label>
              name of the snapshot{' '}
              <input
                required
                maxLength={39}
                pattern="[a-z0-9][a-z0-9\-]*"
                title="a-z, 0-9 and -"
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            </label>
          ) : (
            <p>
              Every process ends and starts again as the snapshot <b>{restored}</b> has it. Later blocks are lost.
            </p>
          )}
          <div class="row">
            <button type="submit">{restored === undefined ? 'save' : 'go back'}</button>
            <button type="button" onClick={() => dialog.current?.close()}>
              cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
