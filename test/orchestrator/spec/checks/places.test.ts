import { expect, it } from 'vitest';
import { nodes, waysOutOf } from './problems.ts';

const EL = 'external: { http: "http://x", engine: "http://x", jwt: j }';
const CL = 'external: { rpc: "http://x" }';
const PLACE = 'place: { disk: ssd }';

it.each([
  ['l1: { beacon: { place: { disk: ssd } } }', ['launch l1.beacon.place: l1.place']],
  ['l1: { place: { disk: ssd } }', []],
  [nodes(`b: { cl: { ${PLACE} }, el: { ${PLACE} } }`), []],
  [nodes(`b: { cl: { ${PLACE}, ${CL} } }`), ['launch chains.main.nodes.b.cl.place: undefined']],
  [nodes(`b: { el: { ${PLACE}, ${EL} } }`), ['launch chains.main.nodes.b.el.place: undefined']],
  [nodes(`b: { ${PLACE}, cl: { ${CL} } }`), []],
  [nodes(`b: { ${PLACE}, el: { ${EL} } }`), []],
  [nodes(`b: { ${PLACE}, el: { ${EL} }, cl: { ${CL} } }`), ['launch chains.main.nodes.b.place: undefined']],
  [nodes(`b: { el: { ${EL} }, cl: { ${CL} } }`), []],
])('%s has a place only where a process is', (text, faults) => {
  expect(waysOutOf(text)).toEqual(faults);
});
