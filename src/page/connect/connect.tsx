import { useState } from 'preact/hooks';
import type { ConnectPlace } from '../../orchestrator/dashboard/connect.ts';
import { Copy, Copyable } from '../parts/copy.tsx';
import { Choice, Problem, Reading, Table, type ViewProps } from '../parts/parts.tsx';
import { act, hasToken, useView } from '../store/store.tsx';
import { Faucet, NeedsToken } from './faucet.tsx';
import { snippetOf, TOOLS } from './snippets.ts';
import { WalletButton } from './wallet-button.tsx';

/** What a wallet or a program needs to reach a chain. Address: `#/connect/CHAIN`. */
export function Connect({ rest }: ViewProps) {
  const { value, error } = useView<readonly ConnectPlace[]>('connect');
  if (error !== undefined) return <Problem text={error} />;
  if (value === undefined) return <Reading />;
  const place = value.find(({ name }) => name === rest[0]) ?? value[1] ?? value[0];
  if (place === undefined) return null;
  const url = place.endpoints[0]?.url ?? '';
  return (
    <>
      {rest[0] !== undefined && rest[0] !== place.name && <Problem text={`unknown chain ${rest[0]}`} />}
      <div class="row">
        <Choice
          label="chain"
          words={value.map(({ name }) => name)}
          value={place.name}
          choose={(name) => (location.hash = `#/connect/${encodeURIComponent(name)}`)}
        />
        <WalletButton name={place.name} chainId={place.chainId} url={url} />
      </div>
      <Table
        columns={['what', 'value']}
        rows={[
          ['chain id', <Copyable key="id" value={String(place.chainId)} />],
          ...place.endpoints.map(({ what, url: address }) => [what, <Copyable key={what} value={address} />]),
        ]}
      />
      <Snippets name={place.name} chainId={place.chainId} url={url} />
      {place.accounts.length > 0 && <Accounts key={place.name} place={place} />}
      {place.accounts.length > 0 && <Faucet chain={place.name} />}
      <h2>Contracts</h2>
      <Table
        columns={['contract', 'address']}
        empty="none known"
        rows={Object.entries(place.contracts).map(([name, address]) => [
          name,
          <Copyable key={name} value={address}>
            <a href={`#/blocks/${name.endsWith('(on L1)') ? 'l1' : explorerName(place.name)}/address/${address}`}>
              {address}
            </a>
          </Copyable>,
        ])}
      />
    </>
  );
}

const explorerName = (name: string): string => (name === 'L1' ? 'l1' : encodeURIComponent(name));

function Snippets(place: { readonly name: string; readonly chainId: number; readonly url: string }) {
  const [choice, setTool] = useState<string>(TOOLS[0]);
  const tool = TOOLS.find((each) => each === choice) ?? TOOLS[0];
  const snippet = snippetOf(tool, place);
  return (
    <>
      <h2>Snippets</h2>
      <div class="row">
        <Choice label="for" words={TOOLS} value={tool} choose={setTool} />
        <Copy value={snippet} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus */}
      <pre tabIndex={0}>{snippet}</pre>
    </>
  );
}

/** The accounts of a chain. Their keys are read when a button asks for them. */
function Accounts({ place }: { readonly place: ConnectPlace }) {
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>();
  const [problem, setProblem] = useState<string>();
  const isOpen = keys !== undefined;
  const open = async () => {
    const { text, isBad } = await act({ kind: 'keys', chain: place.name });
    setProblem(isBad ? text : undefined);
    if (!isBad) setKeys(JSON.parse(text));
  };
  const keyText = (address: string, hasKey: boolean) => {
    if (!hasKey) return <span class="dim">its process holds the key</span>;
    const key = keys?.[address];
    return key === undefined ? '…' : <Copyable value={key} />;
  };
  return (
    <>
      <h2>Accounts</h2>
      <div class="row">
        <button
          type="button"
          aria-expanded={isOpen}
          disabled={!hasToken()}
          onClick={() => (isOpen ? setKeys(undefined) : open())}
        >
          {isOpen ? 'hide the keys' : 'show the keys'}
        </button>
        <span class={isOpen ? 'bad' : 'dim'}>keys of a devnet: never send real funds to them</span>
        <NeedsToken />
      </div>
      {problem !== undefined && <Problem text={problem} />}
      <Table
        columns={['#index', 'address', 'role', ...(isOpen ? ['private key'] : [])]}
        rows={place.accounts.map(({ index, address, role, hasKey }) => [
          index === null ? '' : String(index),
          <Copyable key="address" value={address}>
            <a href={`#/blocks/${encodeURIComponent(place.name)}/address/${address}`}>{address}</a>
          </Copyable>,
          role ?? '',
          ...(isOpen ? [keyText(address, hasKey)] : []),
        ])}
      />
    </>
  );
}
