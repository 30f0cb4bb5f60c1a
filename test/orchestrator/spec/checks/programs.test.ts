import { describe, expect, it } from 'vitest';
import { template } from '../../package.ts';
import { faultsOf, nodes, waysOutOf } from './problems.ts';

describe('programs', () => {
  const machine = {
    readJson: () => ({}),
    programFault: (program: string) => (program.startsWith('missing') ? 'is not on the PATH' : undefined),
  };
  const geth = (text: string) => nodes(`b: { el: { client: op-geth, ${text} } }`);
  const EL = 'chains.main.nodes.b.el';
  const ALLOWED = 'the path of an executable file, or the name of a program on the PATH';

  it('a binary that cannot be executed is reported where it stands', () => {
    expect(waysOutOf(geth('binary: missing'), { machine })).toEqual([`binary ${EL}.binary: ${ALLOWED}`]);
  });

  it.each([
    ['a binary that can', geth('binary: geth')],
    ['the binary of a process that is started by hand', geth('binary: missing, launch: manual')],
    ['the program of a container', geth('image: missing')],
    [
      'the binary of an external process',
      geth('binary: missing, external: { http: "http://x", engine: "http://x", jwt: j }'),
    ],
  ])('%s is no fault', (_, text) => {
    expect(faultsOf(text, { machine })).toEqual([]);
  });

  it.each([
    ['that it runs as a process', 'process', [`binary ${EL}.client: ${ALLOWED}`]],
    ['but not in a container', 'docker', []],
    ['but not embedded', 'embedded', []],
  ])('the program of a template is looked for at its client, %s', (_, runtime, faults) => {
    const facts = { program: 'missing', needsBinary: false, needsImage: false };
    const loadClient = () => ({
      ...template('op-geth'),
      ...facts,
      runtimes: ['embedded', 'process', 'docker'] as const,
    });
    const text = nodes(`b: { el: { client: ./mine.yaml, runtime: ${runtime} } }`);
    expect(waysOutOf(text, { machine, loadClient })).toEqual(faults);
  });

  it('an unknown client has no program that could be missing', () => {
    expect(faultsOf(nodes('b: { el: nope }'), { machine })).toEqual([`client ${EL}.client`]);
  });

  it('a spec that is checked without a machine has no fault by its programs', () => {
    expect(faultsOf(geth('binary: missing'))).toEqual([]);
  });
});
