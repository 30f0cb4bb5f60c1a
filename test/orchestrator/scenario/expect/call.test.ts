import type { Server } from 'node:http';
import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../../src/orchestrator/scenario/expect/call.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { scriptedClient, scriptedRun } from '../scripted-run.ts';

const TO = `0x${'11'.repeat(20)}`;

/** The bytes that the contract returns; undefined: the connection breaks. */
const answer: { bytes: string | undefined } = { bytes: '0x' };
let client: Server;
beforeAll(async () => {
  client = await scriptedClient(() => (answer.bytes === undefined ? undefined : { result: answer.bytes }));
});
afterAll(() => {
  client.closeAllConnections();
  client.close();
});

const look = async (value: Record<string, Json>, bytes: string | undefined) => {
  answer.bytes = bytes;
  return (await call.begin({ to: TO, ...value }, scriptedRun(client)))();
};
const pair = encodeAbiParameters(parseAbiParameters('uint256, bool'), [7n, true]);
const twelve = encodeAbiParameters(parseAbiParameters('uint256'), [12n]);
const textOf = (text: string) => encodeAbiParameters(parseAbiParameters('string'), [text]);
const address = encodeAbiParameters(parseAbiParameters('address'), [TO as `0x${string}`]);
const PAIR = 'f() returns (uint256, bool)';

describe('the expectation of a call', () => {
  it.each<[Record<string, Json>, boolean]>([
    [{ returns: '7' }, true],
    [{ above: 6, below: 8 }, true],
    [{}, false],
    [{ returns: '7', above: 6 }, false],
  ])('has a result or bounds: %j', (value, isWhole) => {
    expect(call.schema.safeParse({ to: TO, ...value }).success).toBe(isWhole);
  });

  it.each<[string, Record<string, Json>, string, unknown]>([
    ['bytes without a function', { returns: '0xAB' }, '0xab', '0xab'],
    ['no bytes', { returns: '0x' }, '0x', '0x'],
    ['a number as a text', { function: 'f() returns (uint256)', returns: '7' }, pair.slice(0, 66), '7'],
    ['a number', { function: 'f() returns (uint256)', returns: 7 }, pair.slice(0, 66), '7'],
    ['several values', { function: PAIR, returns: ['7', true] }, pair, ['7', true]],
    ['a number above another', { function: 'f() returns (uint256)', above: 6 }, pair.slice(0, 66), '7'],
    ['a number below another', { function: 'f() returns (uint256)', below: '8' }, pair.slice(0, 66), '7'],
    ['a number of two digits', { function: 'f() returns (uint256)', above: 11 }, twelve, '12'],
    ['an address in any case', { function: 'f() returns (address)', returns: TO.toUpperCase() }, address, TO],
  ])('holds for %s', async (_, value, bytes, result) => {
    expect(await look(value, bytes)).toEqual({ holds: true, evidence: { result } });
  });

  it.each<[string, Record<string, Json>, string, string, unknown]>([
    ['another number', { function: 'f() returns (uint256)', returns: 8 }, pair.slice(0, 66), '"7"', '7'],
    ['another truth', { function: PAIR, returns: ['7', false] }, pair, '["7",true]', ['7', true]],
    ['the text of a truth', { function: PAIR, returns: ['7', 'true'] }, pair, '["7",true]', ['7', true]],
    ['fewer values', { function: PAIR, returns: ['7'] }, pair, '["7",true]', ['7', true]],
    [
      'a number at its bound',
      { function: 'f() returns (uint256)', above: 7 },
      pair.slice(0, 66),
      '7, not above 7',
      '7',
    ],
    ['one at the end of both', { function: 'f() returns (uint256)', above: 1, below: 7 }, pair, '7, not below 7', '7'],
    [
      'a text with a number',
      { function: 'f() returns (string)', above: 1 },
      textOf('v7'),
      '"v7" instead of a number',
      'v7',
    ],
    ['a text of other letters', { function: 'f() returns (string)', returns: 'ss' }, textOf('ß'), '"ß"', 'ß'],
    ['several values', { function: PAIR, above: 1 }, pair, '["7",true] instead of a number', ['7', true]],
    ['other bytes', { returns: '0x' }, '0xab', '"0xab"', '0xab'],
  ])('does not hold for %s, and says what the call returns', async (_, value, bytes, text, result) => {
    const because = `the call returns ${text}`;
    expect(await look(value, bytes)).toEqual({ holds: false, because, evidence: { result } });
  });

  it('does not hold for a call that fails, and says so in one line', async () => {
    const verdict = await look({ returns: '0x' }, undefined);
    expect(verdict).toEqual({ holds: false, because: expect.stringMatching(/^the call fails: .+$/) });
  });
});
