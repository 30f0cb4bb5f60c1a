import { messagePage } from '../../orchestrator/dashboard/explorer/places.ts';
import type { Party } from '../../orchestrator/inspect/trace.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copy } from '../parts/copy.tsx';
import { plainText } from '../parts/values.ts';

const place = (chain: string): string => `#/blocks/${encodeURIComponent(chain)}`;
const shortened = (hex: string): string => (hex.length > 16 ? `${hex.slice(0, 10)}…${hex.slice(-4)}` : hex);

/** Links to the page of a block. */
export function BlockLink({ chain, id }: { readonly chain: string; readonly id: number }) {
  return <a href={`${place(chain)}/${id}`}>{digitGroups(id)}</a>;
}

/** Links to the page of a block by its hash, with a button that copies it. */
export function BlockHash({ chain, hash, isWhole = false }: Hashed & { readonly chain: string }) {
  return <Hash to={`${place(chain)}/${hash}`} hash={hash} isWhole={isWhole} />;
}

/** Links to the page of a transaction, with a button that copies its hash. */
export function TransactionLink({ chain, hash, isWhole = false }: Hashed & { readonly chain: string }) {
  return <Hash to={`${place(chain)}/tx/${hash}`} hash={hash} isWhole={isWhole} />;
}

/** Links to the page of a deposit or a withdrawal, with a button that copies the hash that names it. */
export function MessageLink({
  chain,
  kind,
  id,
}: {
  readonly chain: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
}) {
  return <Hash to={messagePage(chain, kind, id)} hash={id} />;
}

interface Hashed {
  readonly hash: string;
  /** Whether all letters are shown. */
  readonly isWhole?: boolean;
}

function Hash({ to, hash, isWhole = false }: Hashed & { readonly to: string }) {
  return (
    <span class="copyable">
      <a class="mono" href={to} title={hash}>
        {isWhole ? hash : shortened(hash)}
      </a>{' '}
      <Copy value={hash} />
    </span>
  );
}

/** Links to the page of an address, by its name in this network if it has one. */
export function AddressLink({
  chain,
  party: { address, name },
  isWhole = false,
}: {
  readonly chain: string;
  readonly party: Party;
  readonly isWhole?: boolean;
}) {
  // A receiver that is none, such as "a new contract".
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return <span>{address}</span>;
  return (
    <span class="copyable">
      <a class={name === null || isWhole ? 'mono' : ''} href={`${place(chain)}/address/${address}`} title={address}>
        {isWhole ? address : name === null ? shortened(address) : plainText(name)}
      </a>{' '}
      {isWhole && name !== null && <strong>{plainText(name)} </strong>}
      <Copy value={address} />
    </span>
  );
}

/** How far the chain has confirmed a block, or how a transaction ended. */
export function Badge({ state }: { readonly state: string }) {
  return <span class={`badge ${state}`}>{state}</span>;
}
