import { describe, expect, it } from 'vitest';
import { faultsOf, nodes } from './problems.ts';

describe('programs', () => {
  const machine = {
    readJson: () => ({}),
    programFault: (program: string) => (program === 'op-geth' ? 'is not on the PATH' : undefined),
  };
  const geth = (text: string) => nodes(`b: { el: { client: op-geth, ${text} } }`);

  it('a binary that cannot be executed is reported where it stands', () => {
    expect(faultsOf(geth('binary: op-geth'), { machine })).toEqual(['binary chains.main.nodes.b.el.binary']);
  });

  it.each([
    ['a binary that can', geth('binary: geth')],
    ['the binary of a process that is started by hand', geth('binary: op-geth, launch: manual')],
    ['the program of a container', geth('image: op-geth')],
  ])('%s is no fault', (_, text) => {
    expect(faultsOf(text, { machine })).toEqual([]);
  });

  it('a spec that is checked without a machine has no fault by its programs', () => {
    expect(faultsOf(geth('binary: op-geth'))).toEqual([]);
  });
});
