import { expect, it } from 'vitest';
import { encodeCall } from '../../../src/orchestrator/traffic/contract-call.ts';

const A = `0x${'ab'.repeat(20)}`;
const capitals = `0x${'AB'.repeat(20)}`;
const mixed = `0xaB${'Ab'.repeat(19)}`;

it('a call takes addresses without the case of a checksum, in lists, too', () => {
  expect(encodeCall('pay(address,uint256)', [capitals, '7'])).toBe(encodeCall('pay(address,uint256)', [A, '7']));
  expect(encodeCall('pay(address[])', [[mixed, capitals]])).toBe(encodeCall('pay(address[])', [[A, A]]));
  expect(encodeCall('say(string)', [capitals])).not.toBe(encodeCall('say(string)', [A]));
});

it('a call of an argument that is no address is refused by its name', () => {
  expect(() => encodeCall('pay(address)', ['0x12'])).toThrow(/cannot encode pay\(address\): Address "0x12" is invalid/);
});
