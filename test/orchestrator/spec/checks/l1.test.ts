import { expect, it } from 'vitest';
import { waysOutOf } from './problems.ts';

const LODESTAR = 'beacon: { client: lodestar, binary: l }';

it.each([
  ['{ hardfork: osaka }', []],
  [`{ client: geth, binary: g, hardfork: osaka, ${LODESTAR} }`, Array(2).fill('client l1.hardfork: hardfork: cancun')],
  [
    '{ client: geth, binary: g, hardfork: cancun }',
    ['client l1.client: lodestar, or a template of yours that refers to ${l1.engine}'],
  ],
  [`{ hardfork: cancun, ${LODESTAR} }`, ['client l1.beacon: l1-beacon']],
  [`{ client: geth, binary: g, hardfork: cancun, ${LODESTAR} }`, []],
])('l1: %s has an execution client and a beacon node that fit', (text, faults) => {
  expect(waysOutOf(`l1: ${text}`)).toEqual(faults);
});
