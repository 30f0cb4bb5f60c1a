import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { GO } from '../../../../src/nodes/execution/flavours/go/index.ts';
import { RUST } from '../../../../src/nodes/execution/flavours/rust/index.ts';
import { encodeJson } from '../../../../src/nodes/execution/methods/encode-json.ts';
import { type JsonFields, objectOf } from '../../../../src/nodes/execution/views/json-fields.ts';
import { JsonTextWriter, WrittenView } from '../../../../src/nodes/execution/views/json-text.ts';
import { LazyList } from '../../../../src/nodes/execution/views/lazy-list.ts';
import { minedFields } from '../../../../src/nodes/execution/views/transaction.ts';
import { encodeDeposit } from '../../../../src/protocol/codec/deposit.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import { joinJson } from '../../../../src/rpc/server/json-text.ts';
import { addressOf, blockOf, hashOf, receiptOf } from './sample-block.ts';
import { SHAPES, sign } from './sample-transactions.ts';

beforeAll(prepareCrypto);

const DEPOSIT = bytesToHex(
  encodeDeposit({
    ...{ sourceHash: hashOf(1), from: addressOf(2), to: null, mint: 5n, value: 6n, gas: 7 },
    ...{ isSystemTransaction: true, data: '0x0a0b' },
  }),
);

/** The text of views by both ways: written, and as objects that JSON encodes. */
function bothTexts(views: readonly ((fields: JsonFields) => void)[]) {
  const list = new LazyList(views.length, (at, fields) => views[at]?.(fields));
  const parts = runToCompletion(encodeJson(list, Number.POSITIVE_INFINITY)) ?? [];
  return [joinJson(parts).toString(), JSON.stringify(list)] as const;
}

describe('the text of a view', () => {
  it.each([GO, RUST])(
    'is the JSON of its object for each type of transaction, by the flavour %#',
    async ({ views }) => {
      const raws = [...(await Promise.all(Object.values(SHAPES).map(sign))), DEPOSIT];
      const block = blockOf(
        raws,
        raws.map(() => receiptOf({ depositReceiptVersion: 1 })),
      );
      const [written, encoded] = bothTexts(
        raws.map((_, position) => (fields: JsonFields) => minedFields(fields, block, position, views)),
      );
      expect(written).toBe(encoded);
    },
  );

  it('is the JSON of its object for data, lists, integers and other values of any length', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const integer = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      fc.maxSafeNat(),
      bytes.map((all) => all.subarray(all.findIndex((byte) => byte > 0))),
    );
    const texts = fc.array(fc.string({ unit: 'grapheme' }));
    const view = fc.record({ data: fc.option(bytes), list: fc.array(bytes), integer, flag: fc.boolean(), texts });
    fc.assert(
      fc.property(fc.array(view, { maxLength: 80 }), (all) => {
        const [written, encoded] = bothTexts(
          all.map(({ data, list, integer: value, flag, texts: words }) => (fields: JsonFields) => {
            fields.data('data', data);
            fields.data('hex', bytesToHex(data ?? new Uint8Array(0)));
            fields.list('list', list);
            fields.quantity('integer', value);
            fields.objects('objects', words, (inner, text, at) => {
              inner.value('text', text);
              inner.objects('none', [], () => {});
              inner.quantity('at', at);
            });
            fields.value(
              'view',
              new WrittenView((inner) => inner.objects('words', words, (each) => each.value('b', flag))),
            );
            fields.value('flag', flag);
          }),
        );
        expect(written).toBe(encoded);
      }),
    );
  });

  it('has nothing of a view that fails in the next one', () => {
    const fails = (fields: JsonFields) => {
      fields.quantity('a', 1);
      throw new Error('no such field');
    };
    expect(() => new WrittenView(fails)).toThrow('no such field');
    expect(new WrittenView((fields) => fields.quantity('b', 2)).text).toBe('{"b":"0x2"}');
  });

  it('begins anew when its text was taken', () => {
    const writer = new JsonTextWriter();
    const one = (fields: JsonFields) => fields.quantity('a', 1);
    writer.add('', one);
    const texts = [writer.take(), writer.take()].map((bytes) => Buffer.from(bytes).toString());
    expect(texts).toEqual([JSON.stringify(objectOf(one)), '']);
  });
});
