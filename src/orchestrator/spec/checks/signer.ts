import { type Check, chainsOf } from './check.ts';

/** The rollup node of the sequencer asks a signer. */
export const signers: Check = (context) => {
  for (const [name, { signer, nodes }] of chainsOf(context)) {
    if (signer === null) continue;
    for (const [node, { role, cl }] of Object.entries(nodes))
      if (role === 'sequencer' && (cl.external !== undefined || context.clients.get(cl.client)?.takesSigner === false))
        context.report(
          [
            [...context.nodePath(name, node), 'cl'],
            ['chains', name, 'signer'],
          ],
          'client',
          `${cl.external === undefined ? cl.client : 'an external rollup node'} does not ask the signer of the chain`,
          { allowed: 'rollup-node, or a template of yours that refers to ${signer.rpc}' },
        );
  }
};
