import { type BlockHeader, headerHash } from '../../src/protocol/codec/header.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { same, type VectorKind } from './kind.ts';

type Fields = Readonly<Record<string, Hex | undefined>>;

/**
 * Headers and blocks of Ethereum after the merge, as RPC shows them (`…_data.json`).
 * A sample that its test damaged must not have its hash.
 */
export const rpcHeaders: VectorKind = {
  name: 'hashes of headers shown by RPC',
  files: /testdata\/data\/(headers|blocks)\/.*_data\.json$/,
  cases(path, text) {
    const fields = JSON.parse(text) as Fields;
    if (fields?.['difficulty'] !== '0x0' || fields['hash'] === undefined) return [];
    // `bad-transactions` and its kin damage the body, `bad-…-hash` the header.
    const headerIsSpoilt = /headers\/.*bad-/.test(path) || /blocks\/.*-hash_/.test(path);
    return [
      {
        name: path.replace(/^.*\/data\//, ''),
        check() {
          const computed = headerHash(headerOf(fields));
          if (!headerIsSpoilt) same('hash', computed, fields['hash']);
          else if (computed === fields['hash']) throw new Error('a spoilt header has the right hash');
        },
      },
    ];
  },
};

function headerOf(fields: Fields): BlockHeader {
  const text = (name: string) => fields[name]!;
  const optional = <Name extends string, Value>(name: Name, value: (hex: Hex) => Value) =>
    (fields[name] === undefined ? {} : { [name]: value(fields[name]!) }) as { [key in Name]?: Value };
  return {
    parentHash: text('parentHash'),
    beneficiary: text('miner'),
    stateRoot: text('stateRoot'),
    transactionsRoot: text('transactionsRoot'),
    receiptsRoot: text('receiptsRoot'),
    logsBloom: text('logsBloom'),
    number: Number(text('number')),
    gasLimit: BigInt(text('gasLimit')),
    gasUsed: BigInt(text('gasUsed')),
    timestamp: BigInt(text('timestamp')),
    extraData: text('extraData'),
    mixHash: text('mixHash'),
    baseFeePerGas: BigInt(text('baseFeePerGas')),
    ...optional('withdrawalsRoot', (hex) => hex),
    ...optional('blobGasUsed', BigInt),
    ...optional('excessBlobGas', BigInt),
    ...optional('parentBeaconBlockRoot', (hex) => hex),
  };
}
