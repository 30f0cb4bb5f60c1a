import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostNamesOf } from '../../../src/orchestrator/export/host-names.ts';
import { loadText } from './exported.ts';

it('each task has a host name, and anvil shares that of its beacon node', async () => {
  const { spec } = await loadText('{}');
  expect(hostNamesOf(spec)).toEqual({
    l1: 'l1',
    'l1-beacon': 'l1',
    'main/sequencer/el': 'main-sequencer-el',
    'main/sequencer/cl': 'main-sequencer-cl',
    'main/verifier/el': 'main-verifier-el',
    'main/verifier/cl': 'main-verifier-cl',
    'main/batcher': 'main-batcher',
    'main/proposer': 'main-proposer',
  });
});

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,38}$/);

it('host names are DNS labels, and differ whatever chains and nodes are called', async () => {
  const { spec } = await loadText('{}');
  const { main } = spec.chains;
  const node = main?.nodes['sequencer'];
  if (main === undefined || node === undefined) throw new Error('the default has a sequencer');
  const nodes = fc.dictionary(name, fc.constant(node), { minKeys: 1, maxKeys: 4 });
  fc.assert(
    fc.property(fc.dictionary(name, nodes, { minKeys: 1, maxKeys: 4 }), (chains) => {
      const all = Object.fromEntries(Object.entries(chains).map(([key, value]) => [key, { ...main, nodes: value }]));
      const { l1, 'l1-beacon': beacon, ...others } = hostNamesOf({ ...spec, chains: all });
      const names = [l1, ...Object.values(others)];
      expect(beacon).toBe(l1);
      expect(new Set(names).size).toBe(names.length);
      for (const each of names) expect(each).toMatch(/^[a-z0-9]([a-z0-9-]{0,56}[a-z0-9])?$/);
    }),
    { numRuns: 50, examples: [[{ 'a-b': { c: node }, a: { 'b-c': node } }]] },
  );
});
