import { useState } from 'preact/hooks';

/** An EIP-1193 wallet of the browser. */
interface Wallet {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>;
}

declare global {
  interface Window {
    readonly ethereum?: Wallet;
  }
}

/** A button that asks the browser's wallet to add a chain (EIP-3085). Without a wallet it says why it is disabled. */
export function WalletButton({
  name,
  chainId,
  url,
}: {
  readonly name: string;
  readonly chainId: number;
  readonly url: string;
}) {
  const [outcome, setOutcome] = useState('');
  const wallet = window.ethereum;
  const add = async () => {
    try {
      const chain = {
        ...{ chainId: `0x${chainId.toString(16)}`, chainName: `devnet ${name}`, rpcUrls: [url] },
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      };
      await wallet?.request({ method: 'wallet_addEthereumChain', params: [chain] });
      setOutcome('the wallet has the chain');
    } catch (error) {
      setOutcome(`the wallet refused: ${error instanceof Error ? error.message : 'no reason given'}`);
    }
  };
  return (
    <>
      <button type="button" disabled={wallet === undefined} onClick={add}>
        add to the wallet
      </button>
      <span class="dim" role="status">
        {wallet === undefined ? 'this browser has no wallet' : outcome}
      </span>
    </>
  );
}
