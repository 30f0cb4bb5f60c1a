import { useEffect, useRef } from 'preact/hooks';

/** An action that waits for its confirmation. */
export interface Question {
  readonly text: string;
  readonly verb: string;
  readonly action: object;
}

/** Asks once before an action. The button that cancels has the focus: Enter changes nothing. */
export function Confirmation({
  question,
  answer,
}: {
  readonly question: Question | undefined;
  answer(confirmed: boolean): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal();
  }, [question]);
  const end = (confirmed: boolean) => {
    dialog.current?.close();
    answer(confirmed);
  };
  return (
    <dialog ref={dialog} aria-label="confirmation" onCancel={() => answer(false)}>
      <p>{question?.text}</p>
      <div class="row">
        <button type="button" onClick={() => end(true)}>
          {question?.verb}
        </button>
        <button type="button" autofocus onClick={() => end(false)}>
          cancel
        </button>
      </div>
    </dialog>
  );
}
