import { BlockExecutor } from '../../src/nodes/execution/block/executor.ts';
import { prepareCrypto } from '../../src/nodes/execution/evm/crypto.ts';
import { rlpUint } from '../../src/protocol/codec/rlp.ts';
import { encodeTransaction } from '../../src/protocol/codec/transaction.ts';
import { rulesAt } from '../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../src/protocol/hex.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { type Alloc, upTo } from '../nodes/execution/support/genesis.ts';
import { stateOf } from '../nodes/execution/support/memory-state.ts';
import { same, type VectorKind } from './kind.ts';

interface Fixture {
  readonly env: Readonly<Record<string, Hex>>;
  readonly alloc: Record<Hex, { balance?: Hex; nonce?: number | Hex; code?: Hex; storage?: Record<Hex, Hex> }>;
  readonly txs: readonly { readonly EIP1559?: Readonly<Record<string, Hex>> }[];
  readonly result: Readonly<Record<string, unknown>>;
}

const ZERO: Hex = `0x${'00'.repeat(32)}`;

/** A transition with its outcome: {env, alloc, txs, result}. No receipt depends on its base fee, which is absent. */
export const executionFixtures: VectorKind = {
  name: 'execution fixtures (receipts root, bloom, gas)',
  files: /fixtures\/execution\/.*\.json$/,
  cases(path, text) {
    const { env, alloc, txs, result } = JSON.parse(text) as Fixture;
    // Samples without the called code cannot run.
    const calls = txs.map(({ EIP1559: fields }) => fields).filter((fields) => (fields?.['input'] ?? '0x') !== '0x');
    if (calls.some((fields) => alloc[fields!['to']!.toLowerCase() as Hex]?.code === undefined)) return [];
    return [
      {
        name: path.replace(/^.*\//, ''),
        async check() {
          await prepareCrypto();
          const complete: Alloc = Object.fromEntries(
            Object.entries(alloc).map(([address, { balance = '0x0', nonce = 0, code, storage }]) => [
              address,
              {
                balance,
                nonce: String(nonce),
                ...(code === undefined ? {} : { code }),
                ...(storage === undefined ? {} : { storage }),
              },
            ]),
          );
          const { reader } = stateOf(complete);
          const executor = await BlockExecutor.open(
            {
              chainId: 10,
              rules: rulesAt(upTo('fjord'), 1),
              parentState: reader,
              forcedCode: [],
              blockHash: () => undefined,
            },
            {
              parentHash: env['previousHash'] ?? ZERO,
              number: Number(env['currentNumber']),
              timestamp: BigInt(env['currentTimestamp']!),
              feeRecipient: env['currentCoinbase']!,
              prevRandao: `0x${(env['currentDifficulty'] ?? '0x0').slice(2).padStart(64, '0')}`,
              gasLimit: BigInt(env['currentGasLimit']!),
              baseFee: BigInt(env['currentBaseFee'] ?? 0),
              extraData: '0x',
              parentBeaconBlockRoot: ZERO,
            },
          );
          for (const { EIP1559: fields } of txs) {
            if (fields === undefined) throw new Error('a transaction of a type that this reader does not know');
            const number = (name: string) => rlpUint(BigInt(fields[name]!));
            await executor.run(
              encodeTransaction({
                type: 2,
                fields: {
                  chainId: number('chainId'),
                  nonce: number('nonce'),
                  maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
                  maxFeePerGas: number('maxFeePerGas'),
                  gas: number('gasLimit'),
                  to: hexToBytes(fields['to'] ?? '0x'),
                  value: number('value'),
                  data: hexToBytes(fields['input']!),
                  accessList: [],
                  v: number('yParity'),
                  r: number('r'),
                  s: number('s'),
                },
              }),
            );
          }
          const { header } = await executor.seal();
          same('transactions root', header.transactionsRoot, result['txRoot']);
          same('receipts root', header.receiptsRoot, result['receiptRoot']);
          same('bloom', header.logsBloom, result['logsBloom']);
          const receipts = result['receipts'] as readonly { readonly gasUsed: Hex }[];
          same(
            'gas',
            header.gasUsed,
            receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0),
          );
        },
      },
    ];
  },
};
