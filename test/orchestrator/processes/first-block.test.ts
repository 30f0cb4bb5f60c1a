import { expect, it } from 'vitest';
import { envelopeOf } from '../../../src/orchestrator/processes/first-block.ts';
import { envelopeFromJson } from '../../../src/protocol/codec/payload-json.ts';

const word = (digit: string) => `0x${digit.repeat(64)}`;

/** A block as an execution client gives it. */
const block = {
  parentHash: word('1'),
  miner: `0x${'2'.repeat(40)}`,
  stateRoot: word('3'),
  receiptsRoot: word('4'),
  logsBloom: `0x${'0'.repeat(512)}`,
  mixHash: word('5'),
  number: '0x7',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x65',
  extraData: '0x',
  baseFeePerGas: '0x1',
  hash: word('6'),
  transactions: [word('7')],
  withdrawals: [],
  withdrawalsRoot: word('8'),
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: word('9'),
};
const sent = (input: typeof block) =>
  envelopeFromJson(JSON.parse(JSON.stringify(envelopeOf(input, ['0x7e01'])))) as unknown as {
    executionPayload: Record<string, unknown>;
    parentBeaconBlockRoot: string;
  };

it('the first block becomes the envelope that engine_getPayload returns', () => {
  const { executionPayload, parentBeaconBlockRoot } = sent(block);
  expect(parentBeaconBlockRoot).toBe(word('9'));
  expect(executionPayload).toMatchObject({
    blockNumber: 7,
    blockHash: word('6'),
    feeRecipient: block.miner,
    prevRandao: word('5'),
    transactions: ['0x7e01'],
  });
  expect(executionPayload).not.toHaveProperty('withdrawalsRoot');
});

it('the first block has the withdrawals root if the payload has it, from isthmus on', () => {
  const isthmus = { ...block, requestsHash: word('a') };
  expect(sent(isthmus).executionPayload).toHaveProperty('withdrawalsRoot', word('8'));
});
