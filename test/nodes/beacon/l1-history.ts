import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { makeSidecar } from '../../../src/nodes/txmgr/blob-sidecar.ts';
import { signTransaction } from '../../../src/nodes/txmgr/transaction.ts';
import { encodeBlob } from '../../../src/protocol/codec/blob.ts';
import { quantity } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { ACCOUNTS, CHAIN_ID } from './anvil.ts';

/** Calls the public port of L1. */
export type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>;

/** Returns a number below a bound. */
export type Pick = (bound: number) => number;

/** The third and fourth of anvil's funded accounts. */
const [signer, delegate] = [
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
].map((key) => privateKeyToAccount(key as Hex)) as [PrivateKeyAccount, PrivateKeyAccount];
const other = '0x00000000000000000000000000000000000000bb';
const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
const gasPrice = 10n ** 11n;
const gas = 8_000_000n;

/** Code that writes a hash of the hashes of the last 256 blocks to the slot of its block's number. */
const HASHES = '6101005b80430340816005' + '1b5260019003806003576120205f20435500';
/** Code that sets the slot of its argument if it is 0, and clears it otherwise. */
const TOGGLE = '5f358054154302905500';
/** Creations of them, of a contract that ends itself, and of one that fails. */
const CREATIONS: readonly Hex[] = [creationOf(HASHES), creationOf(TOGGLE), '0x33ff', '0x5f5ffd'];

function creationOf(code: string): Hex {
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return `0x60${size}600a5f3960${size}5ff3${code}`;
}

/** A sidecar of so many equal blobs, proven once. */
const sidecar = (() => {
  let one: ReturnType<typeof makeSidecar> | undefined;
  return async (count: number) => {
    one ??= makeSidecar([encodeBlob(new TextEncoder().encode('a blob'))]);
    const sidecar = await one;
    const times = <T>(list: readonly T[]) => Array.from({ length: count }, () => list[0]!);
    return {
      blobs: times(sidecar.blobs),
      commitments: times(sidecar.commitments),
      proofs: times(sidecar.proofs),
      versionedHashes: times(sidecar.versionedHashes),
    };
  };
})();

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** Creates what makes L1's history: transactions of every kind, and changes without one. */
export function l1History(ask: Ask, pick: Pick) {
  const contracts: Hex[] = [];
  const nonceOf = async (address: string) => Number(await ask<Hex>('eth_getTransactionCount', address, 'pending'));
  const target = () => contracts[pick(contracts.length)] ?? other;
  const call = () => ({ chainId: CHAIN_ID, to: target(), data: word(pick(4)), gas });
  const send = async (raw: Hex) => ask<Hex>('eth_sendRawTransaction', raw);
  const sign = async (fields: object) =>
    send(await signer.signTransaction({ ...fields, nonce: await nonceOf(signer.address) } as never));

  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    legacy: () => sign({ type: 'legacy', ...call(), gasPrice }),
    'access list': () =>
      sign({ type: 'eip2930', ...call(), gasPrice, accessList: [{ address: target(), storageKeys: [word(pick(4))] }] }),
    'dynamic fee': () => sign({ type: 'eip1559', ...call(), ...fees, value: 0n }),
    async blobs() {
      const [account] = ACCOUNTS;
      const nonce = await nonceOf(account!.address);
      const all = { ...fees, maxFeePerBlobGas: 10n ** 10n };
      const data = new Uint8Array(0);
      const unsigned = { chainId: CHAIN_ID, nonce, gas: 50_000, to: other, data, fees: all } as const;
      await send(signTransaction(account!, { ...unsigned, sidecar: await sidecar(4 + pick(3)) }).raw);
    },
    async delegation() {
      const authorization = await delegate.signAuthorization({
        chainId: CHAIN_ID,
        address: target() as Hex,
        nonce: await nonceOf(delegate.address),
      });
      await sign({ type: 'eip7702', ...call(), to: delegate.address, ...fees, authorizationList: [authorization] });
    },
    creation: () =>
      sign({ type: 'eip1559', chainId: CHAIN_ID, data: CREATIONS[pick(CREATIONS.length)]!, gas, ...fees }),
    async impersonated() {
      await ask('anvil_setBalance', other, quantity(10n ** 18n));
      await ask('anvil_impersonateAccount', other);
      await ask('eth_sendTransaction', {
        from: other,
        to: target(),
        value: '0x0',
        data: word(pick(4)),
        gas: '0x7a1200',
      });
    },
    balance: () => ask('anvil_setBalance', other, quantity(10 ** 9 + pick(1000))),
    storage: () => ask('anvil_setStorageAt', target(), word(pick(4)), word(pick(3))),
    nonce: async () => ask('anvil_setNonce', other, quantity((await nonceOf(other)) + 1)),
    code: () => ask('anvil_setCode', `0x00000000000000000000000000000000000000c${pick(3)}`, `0x${HASHES}`),
  };
  const names = Object.keys(acts);

  return {
    names,
    /** Creates the contract that reads the last hashes, and the one that sets and clears its slots. */
    async begin(block: () => Promise<unknown>) {
      for (const data of CREATIONS.slice(0, 2)) {
        const hash = await sign({ type: 'eip1559', chainId: CHAIN_ID, data, gas, ...fees });
        await block();
        const { contractAddress } = await ask<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash);
        contracts.push(contractAddress);
      }
    },
    /** Reads the last hashes in a transaction. */
    readHashes: () => sign({ type: 'eip1559', chainId: CHAIN_ID, to: contracts[0], gas, ...fees }),
    act: (name: string) => acts[name]!(),
  };
}
