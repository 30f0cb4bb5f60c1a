import { beforeAll, describe, expect, it } from 'vitest';
import { BlockInvalid } from '../../../../src/nodes/execution/block/errors.ts';
import {
  CONSOLIDATION_QUEUE,
  collectRequests,
  WITHDRAWAL_QUEUE,
} from '../../../../src/nodes/execution/block/requests.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { openEthereumBlock } from '../support/open-block.ts';

beforeAll(prepareCrypto);

const CONTRACT: Hex = `0x${'de'.repeat(20)}`;
const EVENT: Hex = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5';
/** Fields of a deposit in the order of EIP-6110: public key, credentials, amount, signature, index. */
const SIZES = [48, 32, 8, 96, 8];
const fieldsOf = (deposit: number) => SIZES.map((size, at) => Buffer.alloc(size, deposit * 16 + at));

const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
/** ABI encoding of five byte strings. */
function eventData(fields: readonly Uint8Array[]): Buffer {
  const heads: Buffer[] = [];
  const tails: Buffer[] = [];
  let at = 32 * fields.length;
  for (const field of fields) {
    const tail = Buffer.concat([word(field.length), Buffer.alloc(Math.ceil(field.length / 32) * 32)]);
    tail.set(field, 32);
    heads.push(word(at));
    tails.push(tail);
    at += tail.length;
  }
  return Buffer.concat([...heads, ...tails]);
}
const logOf = (data: Uint8Array, { address = CONTRACT, topic = EVENT } = {}) => ({
  address,
  topics: [topic],
  data: `0x${Buffer.from(data).toString('hex')}` as Hex,
});

/** Code that returns this many bytes, which begin with a 7. */
const returning = (bytes: number) => `0x600760005360${bytes.toString(16).padStart(2, '0')}6000f3` as const;
const QUEUES = { [WITHDRAWAL_QUEUE]: { code: returning(0) }, [CONSOLIDATION_QUEUE]: { code: returning(0) } };
const collected = async (
  logs: Parameters<typeof collectRequests>[1],
  alloc = {},
  contract: Hex | undefined = CONTRACT,
) =>
  (await collectRequests((await openEthereumBlock({ ...QUEUES, ...alloc })).vm, logs, contract)).map((request) =>
    Buffer.from(request).toString('hex'),
  );

describe('the requests of a block', () => {
  it('are none without deposits and with empty queues', async () => {
    expect(await collected([])).toEqual([]);
  });

  it('are the fields of all deposits in one request, before those of the queues', async () => {
    const deposits = [1, 2].map((deposit) => logOf(eventData(fieldsOf(deposit))));
    const others = [
      logOf(Buffer.of(1), { address: WITHDRAWAL_QUEUE }),
      logOf(Buffer.of(1), { topic: `0x${'00'.repeat(32)}` }),
    ];
    const queues = { [WITHDRAWAL_QUEUE]: { code: returning(2) }, [CONSOLIDATION_QUEUE]: { code: returning(3) } };
    expect(await collected([deposits[0]!, ...others, deposits[1]!], queues)).toEqual([
      `00${Buffer.concat([...fieldsOf(1), ...fieldsOf(2)]).toString('hex')}`,
      '010700',
      '02070000',
    ]);
  });

  it('have no deposits on a chain without a deposit contract', async () => {
    const { vm } = await openEthereumBlock(QUEUES);
    expect(await collectRequests(vm, [logOf(eventData(fieldsOf(1)))], undefined)).toEqual([]);
  });

  const whole = eventData(fieldsOf(1));
  const changed = (at: number) => {
    const data = Buffer.from(whole);
    data[at + 31]!++;
    return data;
  };
  const places = [0, 32, 64, 96, 128, 160, 256, 320, 384, 512];
  it.each([
    ['one byte less', whole.subarray(0, -1)],
    ['one byte more', Buffer.concat([whole, Buffer.alloc(1)])],
    ...places.map((at): [string, Buffer] => [`another word at byte ${at}`, changed(at)]),
  ])('break the block if a deposit event has %s', async (_, data) => {
    await expect(collected([logOf(data)])).rejects.toThrow(expect.objectContaining({ field: 'requestsHash' }));
  });

  it.each([WITHDRAWAL_QUEUE, CONSOLIDATION_QUEUE])('break the block without code at %s', async (address) => {
    const failing = collected([], { [address]: { balance: '0x1' } });
    await expect(failing).rejects.toBeInstanceOf(BlockInvalid);
    await expect(failing).rejects.toMatchObject({
      ...{ name: 'BlockInvalid', field: 'requestsHash' },
      message: expect.stringContaining(address),
    });
  });

  it('break the block if a queue reverts', async () => {
    await expect(collected([], { [CONSOLIDATION_QUEUE]: { code: '0x60006000fd' } })).rejects.toMatchObject({
      field: 'requestsHash',
      message: expect.stringContaining(`${CONSOLIDATION_QUEUE} failed: revert`),
    });
  });
});
