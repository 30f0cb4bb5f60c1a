import { useState } from 'preact/hooks';
import { Choice } from '../parts/parts.tsx';
import { act, hasToken } from '../store/store.tsx';

const WAYS = { fund: 'faucet: minted by a deposit from L1', deposit: 'deposit: paid by account 0 on L1' } as const;

/** Says why the button before it is disabled, if it is. */
export function NeedsToken() {
  if (hasToken()) return null;
  return (
    <span class="dim">
      disabled without a token: <a href="#/control">Control</a> takes it
    </span>
  );
}

/** Sends ether to an address on L2: from the faucet, or by a deposit of a funded account. */
export function Faucet({ chain }: { readonly chain: string }) {
  const [way, setWay] = useState<string>(WAYS.fund);
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('1 ether');
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setOutcome(await act({ kind: way === WAYS.fund ? 'fund' : 'deposit', chain, to, amount }));
    setBusy(false);
  };
  return (
    <>
      <h2>Ether on {chain}</h2>
      <form onSubmit={submit}>
        <Choice label="by" words={Object.values(WAYS)} value={way} choose={setWay} />
        <input
          required
          size={44}
          aria-label="address on L2"
          placeholder="0x… on L2"
          pattern="0x[0-9a-fA-F]{40}"
          value={to}
          onInput={({ currentTarget }) => setTo(currentTarget.value.trim())}
        />
        <input
          required
          size={10}
          aria-label="amount"
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <button type="submit" disabled={busy || !hasToken()}>
          send
        </button>
        <NeedsToken />
      </form>
      <p role="status" class={outcome?.isBad ? 'bad broken' : 'good broken'}>
        {busy ? 'under way …' : (outcome?.text ?? '')}
      </p>
    </>
  );
}
