import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type ChainStatus, rpc } from '../devnet.ts';

const RECEIVER = '0x000000000000000000000000000000000000bEEF';
const GAS = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 6n };
/** Pause (ms) of a sender after a transaction, and before it tries a refused one again. */
const PAUSE_MS = 40;
/** Receipts that are asked for at a time. A node refuses more connections than it has places for. */
const AT_ONCE = 100;
/** A node says so of a transaction that it, or its chain, has: an answer before was lost. */
const IS_THERE = /already known|nonce too low|already imported/i;

/** One sender for each funded account. Each asks one node after another to take its next transaction. */
export class ToldLoad {
  /** Hashes of the transactions that a node has accepted. */
  readonly told: `0x${string}`[] = [];
  /** Requests that failed: a node was down, or refused for the moment. */
  failedCount = 0;
  #isOver = false;
  readonly #senders: Promise<void>[];

  constructor({ chainId, accounts, nodes }: ChainStatus, senders: number) {
    const urls = nodes.map(({ el }) => el.http);
    this.#senders = accounts
      .filter(({ role }) => role === undefined)
      .slice(0, senders)
      .map(({ privateKey }, at) => this.#send(privateKeyToAccount(privateKey), { chainId, urls, at }));
  }

  /** Ends the senders. Each transaction that was accepted must be in a block of every node. */
  async end(urls: readonly string[]): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#senders);
    const receipt = (url: string, hash: string) =>
      rpc<{ status: string } | null>(url, 'eth_getTransactionReceipt', hash);
    for (const url of urls) {
      const missing = async () => {
        let count = 0;
        for (let at = 0; at < this.told.length; at += AT_ONCE) {
          const receipts = await Promise.all(this.told.slice(at, at + AT_ONCE).map((hash) => receipt(url, hash)));
          count += receipts.filter((each) => each?.status !== '0x1').length;
        }
        return count;
      };
      await expect.poll(missing, { timeout: 120_000, interval: 500 }).toBe(0);
    }
  }

  async #send(
    account: PrivateKeyAccount,
    { chainId, urls, at }: { readonly chainId: number; readonly urls: readonly string[]; readonly at: number },
  ): Promise<void> {
    let nonce = 0;
    for (let attempt = at; !this.#isOver; attempt++) {
      const transaction = { chainId, nonce, to: RECEIVER, value: 1n, type: 'eip1559', ...GAS } as const;
      const raw = await account.signTransaction(transaction);
      const url = urls[attempt % urls.length] ?? '';
      const hash = await rpc<`0x${string}`>(url, 'eth_sendRawTransaction', raw).catch((error: Error) => {
        if (IS_THERE.test(error.message)) return undefined;
        this.failedCount += 1;
        return 'refused' as const;
      });
      if (hash !== 'refused') nonce += 1;
      if (hash !== 'refused' && hash !== undefined) this.told.push(hash);
      await sleep(PAUSE_MS);
    }
  }
}
