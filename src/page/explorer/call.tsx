import type { Decoded } from '../../orchestrator/inspect/abi/abi.ts';
import type { CallFrame } from '../../orchestrator/inspect/trace.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { amount, plainText } from '../parts/values.ts';
import { Argument } from './arguments.tsx';
import { AddressLink } from './links.tsx';

/** The name of a call, event or error with its arguments, a line each. */
export function DecodedCall({ call }: { readonly call: Decoded }) {
  const entries = Object.entries(call.args);
  return (
    <>
      <strong title={call.signature}>{plainText(call.name)}</strong>
      {entries.length > 0 && (
        <ul class="plain">
          {entries.map(([name, value]) => (
            <li key={name}>
              <span class="dim">{plainText(name)}</span> <Argument call={call.name} name={name} value={value} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The calls of a transaction as a tree that folds. A call that failed is open. */
export function CallTree({ frame, chain }: { readonly frame: CallFrame; readonly chain: string }) {
  const { kind, to, value, gasUsed, call, selector, error, reason, calls, omitted } = frame;
  const line = (
    <>
      <span class="dim">{kind.toLowerCase()}</span>{' '}
      {to === null ? 'new contract' : <AddressLink chain={chain} party={to} />}{' '}
      <strong>{call === null ? (selector ?? '') : plainText(call.name)}</strong>{' '}
      {value === '0' ? '' : `${amount(value)} `}
      <span class="dim">gas {digitGroups(gasUsed)}</span>
      {error !== null && (
        <span class="bad">
          {' '}
          failed: {plainText(error)}
          {reason === null ? '' : ' '}
          {reason !== null && <DecodedCall call={reason} />}
        </span>
      )}
    </>
  );
  const args = call === null || Object.keys(call.args).length === 0 ? null : <DecodedCall call={call} />;
  if (calls.length === 0 && args === null) return <div class="frame">{line}</div>;
  return (
    <details class="frame" open={error !== null || calls.length > 0}>
      <summary>{line}</summary>
      {args}
      {calls.map((each, at) => (
        <CallTree key={String(at)} frame={each} chain={chain} />
      ))}
      {omitted > 0 && <p class="dim">{omitted} more calls</p>}
    </details>
  );
}
