import fc from 'fast-check';
import { uncompress } from 'snappyjs';
import { describe, expect, it } from 'vitest';
import { decodeBlock } from '../../../../src/nodes/gossip/message/snappy-block.ts';

/** A literal or copy of the format, with the number of bytes of its length field or offset. */
type Element =
  | { readonly kind: 'literal'; readonly bytes: readonly number[]; readonly extra: number }
  | { readonly kind: 'copy'; readonly distance: number; readonly length: number; readonly extra: 1 | 2 | 4 };

const little = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);

function varint(value: number): number[] {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value] : [(value % 128) + 128, ...varint(rest)];
}

/** Writes an element as sections 2.1 and 2.2 of the format description say. */
function written(element: Element): number[] {
  if (element.kind === 'literal') {
    const { bytes, extra } = element;
    const size = bytes.length - 1;
    return [(extra === 0 ? size : 59 + extra) * 4, ...little(size, extra), ...bytes];
  }
  const { distance, length, extra } = element;
  if (extra === 1) return [Math.floor(distance / 256) * 32 + (length - 4) * 4 + 1, distance % 256];
  return [(length - 1) * 4 + (extra === 2 ? 2 : 3), ...little(distance, extra)];
}

/** Returns a block of the elements and the data that it stands for. */
function blockOf(elements: readonly Element[]): { readonly block: Uint8Array; readonly data: number[] } {
  const data: number[] = [];
  for (const element of elements) {
    if (element.kind === 'literal') data.push(...element.bytes);
    else for (let left = element.length; left > 0; left--) data.push(data[data.length - element.distance] as number);
  }
  return { block: Uint8Array.from([...varint(data.length), ...elements.flatMap(written)]), data };
}

const literal = (length: number, extra: number): Element => ({
  kind: 'literal',
  bytes: Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256),
  extra,
});
const copy = (distance: number, length: number, extra: 1 | 2 | 4): Element => ({
  kind: 'copy',
  distance,
  length,
  extra,
});
const decoded = (block: readonly number[] | Uint8Array, most = 1 << 20) => decodeBlock(Uint8Array.from(block), most);

describe('a snappy block', () => {
  it.each<[string, Element[]]>([
    ['a literal of 1 byte', [literal(1, 0)]],
    ['the longest literal without a length field', [literal(60, 0)]],
    ['the shortest literal of 1 length byte', [literal(61, 1)]],
    ['the longest literal of 1 length byte', [literal(256, 1)]],
    ['a literal of 2 length bytes', [literal(257, 2)]],
    ['a literal of 3 length bytes', [literal(65_537, 3)]],
    ['a literal of 4 length bytes', [literal(70, 4)]],
    ['the shortest copy of 1 offset byte', [literal(20, 0), copy(20, 4, 1)]],
    ['the longest copy of 1 offset byte', [literal(20, 0), copy(11, 11, 1)]],
    ['the farthest copy of 1 offset byte', [literal(2047, 2), copy(2047, 11, 1)]],
    ['a copy that repeats its last byte', [literal(3, 0), copy(1, 11, 1)]],
    ['a copy that ends at the output', [literal(8, 0), copy(8, 8, 1)]],
    ['a copy one byte longer than its distance', [literal(8, 0), copy(7, 8, 1)]],
    ['the shortest copy of 2 offset bytes', [literal(300, 2), copy(300, 1, 2)]],
    ['the longest copy of 2 offset bytes', [literal(300, 2), copy(257, 64, 2)]],
    ['the farthest copy of 2 offset bytes', [literal(65_535, 2), copy(65_535, 64, 2)]],
    ['the shortest copy of 4 offset bytes', [literal(5, 0), copy(5, 1, 4)]],
    ['the farthest copy of 4 offset bytes', [literal(70_000, 3), copy(70_000, 64, 4)]],
    ['literals and copies in turn', [literal(5, 0), copy(2, 6, 1), literal(3, 0), copy(14, 9, 2), literal(1, 0)]],
  ])('holds %s', (_, elements) => {
    const { block, data } = blockOf(elements);
    expect(decoded(block)).toEqual(Uint8Array.from(data));
    expect(uncompress(block)).toEqual(Uint8Array.from(data));
  });

  it('is read as its elements say', () => {
    const element = fc.oneof(
      fc.record({ length: fc.integer({ min: 1, max: 70 }), extra: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ distance: fc.nat(300), length: fc.integer({ min: 4, max: 11 }), extra: fc.constantFrom(1, 2, 4) }),
    );
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 12 }), (choices) => {
        let size = 30;
        const elements = choices.map((choice): Element => {
          const { length, extra } = choice;
          const distance = 'distance' in choice ? (choice.distance % size) + 1 : 0;
          size += length;
          return distance === 0 ? literal(length, extra) : copy(distance, length, extra as 1 | 2 | 4);
        });
        const { block, data } = blockOf([literal(30, 0), ...elements]);
        expect(decoded(block)).toEqual(Uint8Array.from(data));
      }),
      { numRuns: 200 },
    );
  });

  it('is read up to the limit of bytes and no further', () => {
    const { block, data } = blockOf([literal(100, 1)]);
    expect(decoded(block, 100)).toEqual(Uint8Array.from(data));
    expect(decoded(block, 99)).toBeUndefined();
  });

  it('is refused when it is cut at any byte, or is followed by one', () => {
    const { block } = blockOf([literal(5, 0), copy(5, 6, 1), literal(70, 1), copy(7, 20, 2), copy(9, 3, 4)]);
    for (let size = 0; size < block.length; size++) expect(decoded(block.subarray(0, size)), `${size}`).toBeUndefined();
    for (const more of [0x00, 0x01, 0xf0]) expect(decoded([...block, more]), `${more}`).toBeUndefined();
  });

  it.each([
    ['a literal that ends past the output', [3, 0x0c, 1, 2, 3, 4]],
    ['a literal that ends past the input', [4, 0x0c, 1, 2, 3]],
    ['a copy that ends past the output', [8, 0x0c, 1, 2, 3, 4, 0x05, 4]],
    ['a copy from one byte before the start', [8, 0x0c, 1, 2, 3, 4, 0x01, 5]],
    ['a copy of distance 0', [8, 0x0c, 1, 2, 3, 4, 0x01, 0]],
    ['a copy of 2 offset bytes from before the start', [5, 0x0c, 1, 2, 3, 4, 0x02, 4, 1]],
    ['a copy of 4 offset bytes from before the start', [5, 0x0c, 1, 2, 3, 4, 0x03, 4, 0, 0, 1]],
    ['an element behind a full output', [1, 0x00, 7, 0x02, 1, 0]],
  ])('is refused with %s', (_, block) => {
    expect(decoded(block)).toBeUndefined();
  });
});

describe('the length of a snappy block', () => {
  it.each([
    ['of 1 byte', [1], 1],
    ['of 2 bytes', [0x80, 1], 128],
    ['of 3 bytes', [0x81, 0x80, 1], 16_385],
    ['of 2 bytes with zeros on top', [0x81, 0], 1],
    ['of 5 bytes with zeros on top', [0x81, 0x80, 0x80, 0x80, 0], 1],
    ['of 10 bytes with zeros on top', [0x81, ...Array<number>(8).fill(0x80), 0], 1],
  ])('%s is a varint', (_, length, size) => {
    const bytes = Array.from({ length: size }, (_, at) => at % 256);
    const element: Element = { kind: 'literal', bytes, extra: 3 };
    expect(decoded([...length, ...written(element)])).toEqual(Uint8Array.from(bytes));
  });

  it.each([
    ['11 bytes', [0x81, ...Array<number>(9).fill(0x80), 0]],
    ['33 bits', [0x81, 0x80, 0x80, 0x80, 0x10]],
    ['the 64th bit', [0x81, ...Array<number>(8).fill(0x80), 1]],
  ])('is refused when it has %s', (_, length) => {
    expect(decoded([...length, 0x00, 7])).toBeUndefined();
  });
});
