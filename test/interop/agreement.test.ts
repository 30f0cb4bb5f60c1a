import { describe, expect, it } from 'vitest';
import { active, clientFromEnvironment, crossings, type InteropClient } from './clients.ts';

/** Limit (ms) of all networks of one setting. */
const TEST_TIMEOUT_MS = 1_800_000;

const el = clientFromEnvironment('op-geth');
const reth = clientFromEnvironment('op-reth');
const cl = clientFromEnvironment('op-node');
const kona = clientFromEnvironment('kona-node');

const absent = [el, reth, cl, kona, clientFromEnvironment('op-batcher'), clientFromEnvironment('op-proposer')].filter(
  (one) => typeof one === 'string',
);
if (absent.length > 0) console.log(`real clients that are not tested: ${absent.join('; ')}`);

/** The real parts of a node. The other part is of this package. */
type Parts = Readonly<Partial<Record<'el' | 'cl', InteropClient | string>>>;

/** How the verifiers of a network get their blocks. */
type Follows = readonly ('gossip' | 'derived')[];

const BOTH: Follows = ['gossip', 'derived'];

/**
 * Each real client beside our other half of a node, and each pair of real clients.
 *
 * kona-node leaves blocks that it missed to its execution client. Only ours fetches them from the others.
 */
const SETTINGS: readonly (readonly [name: string, parts: Parts, follows: Follows])[] = [
  ['op-geth', { el }, BOTH],
  ['op-reth', { el: reth }, BOTH],
  ['op-node', { cl }, BOTH],
  ['kona-node', { cl: kona }, BOTH],
  ['op-geth and op-node', { el, cl }, BOTH],
  ['op-geth and kona-node', { el, cl: kona }, ['derived']],
  ['op-reth and op-node', { el: reth, cl }, BOTH],
  ['op-reth and kona-node', { el: reth, cl: kona }, ['derived']],
];

/** Returns the clients of a setting, or why one of them is not there. */
function allOf(parts: readonly (InteropClient | string)[]): readonly InteropClient[] | string {
  const missing = parts.find((part) => typeof part === 'string');
  return missing ?? parts.filter((part) => typeof part !== 'string');
}

describe.each(SETTINGS)('%s', (_, parts, follows) => {
  const clients = allOf(Object.values(parts));
  if (typeof clients === 'string') {
    it.skip(`agrees with ours (${clients})`, () => undefined);
    return;
  }
  const real = Object.fromEntries(
    Object.entries(parts).flatMap(([part, client]) => (typeof client === 'string' ? [] : [[part, client.launch]])),
  );
  const schedules = crossings(clients);
  it('supports a fork that ours support', () => expect(schedules).not.toEqual([]));

  describe.each(schedules)('$title', (schedule) => {
    it.each([
      [`verifiers by ${follows.join(' and ')}`, real, {}, follows],
      ['the sequencer', {}, real, BOTH],
    ])('agrees with ours as %s', { timeout: TEST_TIMEOUT_MS }, async (_, verifier, sequencer, verifiers) => {
      const { agrees } = await import('./network.ts');
      const peers = { gossip: ['sequencer'], derived: [] };
      const nodes = {
        sequencer: { role: 'sequencer', ...sequencer, peers: verifiers.filter((name) => name === 'gossip') },
        ...Object.fromEntries(verifiers.map((name) => [name, { ...verifier, peers: peers[name] }])),
      };
      await agrees({ clients, schedule, chain: { nodes }, posts: 'batcher' });
    });
  });
});

describe.each(['batcher', 'proposer'] as const)('op-%s', (role) => {
  const client = clientFromEnvironment(`op-${role}`);
  if (typeof client === 'string') {
    it.skip(`sends batches to L1 that ours derive (${client})`, () => undefined);
    return;
  }
  it('sends batches to L1 that ours derive', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { agrees } = await import('./network.ts');
    const chain = { [role]: client.launch, nodes: { s: { role: 'sequencer' }, v: {} } };
    await agrees({ clients: [client], schedule: active('granite'), chain, posts: role });
  });
});
