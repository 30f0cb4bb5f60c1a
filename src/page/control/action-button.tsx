import type { ComponentChildren } from 'preact';

/** What each part needs to send an action: whether buttons are disabled, and the sending. */
export interface ActionProps {
  readonly disabled: boolean;
  /** Why every button is disabled. Undefined: none is, or an action is under way. */
  readonly reason: string | undefined;
  run(action: object): Promise<void>;
}

const idOf = (group: string): string => `why-${group}`;

/** A button of a group that is described by the reason for which it is disabled. */
export function ActionButton({
  state: { disabled, reason },
  group,
  press,
  label,
  children,
}: {
  readonly state: Pick<ActionProps, 'disabled' | 'reason'>;
  readonly group: string;
  /** Undefined: the button sends its form. */
  readonly press?: () => void;
  /** What a screen reader reads in place of the text. */
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type={press === undefined ? 'submit' : 'button'}
      disabled={disabled}
      {...(press === undefined ? {} : { onClick: press })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(reason === undefined ? {} : { 'aria-describedby': idOf(group) })}
    >
      {children}
    </button>
  );
}

/** The reason beside the buttons of a group. */
export function Reason({ group, reason }: { readonly group: string; readonly reason: string | undefined }) {
  return reason === undefined ? null : (
    <span id={idOf(group)} class="bad">
      {reason}
    </span>
  );
}
