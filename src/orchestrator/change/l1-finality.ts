import { Failure } from '../../system/failure.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { mustHaveLinks } from '../faults/checks.ts';
import { clientFor } from '../probe/call.ts';
import { L1_FINALITY } from '../state/faults.ts';
import { addFault, healFaults, readFaults } from './faults.ts';

/**
 * Lets the safe and finalized blocks of L1 stand still for all that read L1 through links, or go on.
 * Returns the number of the final block; undefined: it goes on. @throws Failure
 */
export async function setL1Finality(devnet: Devnet, action: 'stop' | 'go'): Promise<number | undefined> {
  mustHaveLinks(viewOf(devnet).plan);
  const standing = (await readFaults(devnet)).rpc.some(({ id }) => id === L1_FINALITY);
  if ((action === 'stop') === standing)
    throw new Failure('l1', standing ? 'the finality of L1 stands already' : 'the finality of L1 goes on already');
  if (action === 'go') {
    await healFaults(devnet, [L1_FINALITY]);
    return undefined;
  }
  const url = viewOf(devnet).plan.network.l1.rpc;
  const numberAt = async (tag: string) =>
    (await clientFor(url).call<{ readonly number: string }>('eth_getBlockByNumber', [tag, false])).number;
  const at = { safe: await numberAt('safe'), finalized: await numberAt('finalized') };
  await addFault(devnet, {
    rpc: { id: L1_FINALITY, target: 'l1', method: 'eth_getBlockByNumber', answer: 'stale', at },
  });
  return Number(at.finalized);
}
