import { describe, expect, it } from 'vitest';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { contracts, optionOf, quickPlanOf, task } from '../planned.ts';

const { address, privateKey } = roleAccounts(901, contracts).sequencer;
const OPTIONS = ['signer.endpoint', 'signer.address', 'signer.tls.enabled', 'p2p.sequencer.key.path'];

describe('a signer', () => {
  it('has the key of the sequencer, whose rollup node has none and waits for it', () => {
    const plan = quickPlanOf('chains: { main: { signer: {} } }');
    const signer = task(plan, 'main/signer');
    expect(signer).toMatchObject({ kind: 'signer', clock: 'none', secrets: [privateKey] });
    const sequencer = task(plan, 'main/sequencer/cl');
    expect(OPTIONS.map((name) => optionOf(sequencer, name))).toEqual([
      'http://127.0.0.1:9536',
      address,
      'false',
      undefined,
    ]);
    expect(sequencer.needs).toContainEqual({ task: 'main/signer', until: 'ready' });
    expect(sequencer.secrets).not.toContain(privateKey.slice(2));
    expect(plan.tasks.indexOf(signer)).toBeLessThan(plan.tasks.indexOf(sequencer));
    const verifier = task(plan, 'main/verifier/cl');
    expect(OPTIONS.map((name) => optionOf(verifier, name))).toEqual([undefined, undefined, undefined, undefined]);
    expect(plan.network.chains[0]?.signer).toEqual({ task: 'main/signer', rpc: 'http://127.0.0.1:9536' });
  });

  it('is called by a link of the sequencer with faults', () => {
    const links = quickPlanOf('faults: true\nchains: { main: { signer: {} } }').links ?? [];
    expect(links.filter(({ to }) => to === 'main/signer').map(({ from }) => from)).toEqual(['main/sequencer/cl']);
  });

  it('is absent if the spec has none', () => {
    const plan = quickPlanOf('{}');
    expect(plan.tasks.filter(({ kind }) => kind === 'signer')).toEqual([]);
    expect(optionOf(task(plan, 'main/sequencer/cl'), 'signer.tls.enabled')).toBeUndefined();
  });
});
