import type { Hex } from '../../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../accounts.ts';
import { Driver, deposit, l1Info, type Payload, ZERO } from '../driver.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, LOGGER, STORE, upTo } from '../genesis.ts';
import { launch } from '../nodes.ts';

/** Valid requests of a rollup node and of users, recorded for mutation. */
export interface Recording {
  readonly genesis: Hex;
  /** A chain of payloads that each target imports. */
  readonly payloads: readonly Payload[];
  /** Attributes for a block on the last but one. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Signed transactions outside any block, one of each type. */
  readonly transactions: readonly Hex[];
}

export const schedule = upTo('jovian');
export const BLOCKS = 6;

export async function record(): Promise<Recording> {
  await using node = await launch(genesisText(schedule), { flavour: 'go' });
  const driver = new Driver(node.engine, schedule);
  const genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  const payloads: Payload[] = [];
  for (let number = 1; number <= BLOCKS; number++) {
    const forced = [l1Info(number), deposit({ mint: 5n, value: 2n, to: ACCOUNTS[4]!.address })];
    forced.push(await sign(0, number - 1, 'eip1559', STORE), await sign(1, number - 1, 'legacy', LOGGER));
    const parent = payloads.at(-1)?.hash ?? genesis;
    payloads.push(await driver.build(parent, GENESIS_TIME + 2 * number, forced, { fields: { noTxPool: true } }));
  }
  const forced = [l1Info(BLOCKS), deposit({ mint: 1n }), await sign(0, BLOCKS - 1, 'eip2930', STORE)];
  return {
    genesis,
    payloads,
    attributes: driver.attributes(GENESIS_TIME + 2 * BLOCKS, forced),
    transactions: [
      await sign(2, 0, 'legacy', STORE),
      await sign(2, 1, 'eip2930', LOGGER),
      await sign(3, 0, 'eip1559', STORE),
      await sign(3, 1, 'eip7702', STORE),
    ],
  };
}

/** Returns the forkchoice of the last but one block. */
export function forkchoiceOf({ payloads }: Recording): Record<string, Hex> {
  return { headBlockHash: payloads.at(-2)!.hash, safeBlockHash: payloads[1]!.hash, finalizedBlockHash: ZERO };
}

async function sign(
  account: number,
  nonce: number,
  type: 'legacy' | 'eip2930' | 'eip1559' | 'eip7702',
  to: Hex,
): Promise<Hex> {
  const signer = ACCOUNTS[account]!;
  const data: Hex = `0x${(nonce + 1).toString(16).padStart(64, '0')}${'0b'.padStart(64, '0')}`;
  const call = { chainId: CHAIN_ID, nonce, gas: 200_000n, to, data };
  const price = 10n ** 10n;
  const accessList = [{ address: to, storageKeys: [ZERO] }];
  switch (type) {
    case 'legacy':
      return signer.signTransaction({ ...call, type, gasPrice: price });
    case 'eip2930':
      return signer.signTransaction({ ...call, type, gasPrice: price, accessList });
    case 'eip1559':
      return signer.signTransaction({ ...call, type, maxFeePerGas: price, maxPriorityFeePerGas: 3n, accessList });
    case 'eip7702': {
      const entry = await ACCOUNTS[4]!.signAuthorization({ chainId: CHAIN_ID, address: LOGGER, nonce: 0 });
      return signer.signTransaction({ ...call, type, maxFeePerGas: price, authorizationList: [entry] });
    }
  }
}
