import { expect, it } from 'vitest';
import { randomId } from '../../../../src/nodes/execution/query/random-id.ts';

it('an id is a quantity of up to 128 bits, and no id comes twice', () => {
  const ids = Array.from({ length: 100 }, randomId);
  for (const id of ids) expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{15,31}$/);
  expect(new Set(ids).size).toBe(100);
});
