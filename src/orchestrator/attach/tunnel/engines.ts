import { dockerEngine } from '../docker/docker.ts';
import type { Engine, EngineAddress } from '../engine/engine.ts';
import { kubernetesEngine } from '../kubernetes/kubernetes.ts';

/** Returns the engine at an address. Asks it nothing yet. */
export async function engineAt(address: EngineAddress): Promise<Engine> {
  return address.kind === 'kubernetes' ? await kubernetesEngine(address) : await dockerEngine(address);
}
