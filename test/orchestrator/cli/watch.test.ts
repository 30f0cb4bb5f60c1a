import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NetworkEvent } from '../../../src/orchestrator/state/network-event-type.ts';
import { networkEvent } from '../../../src/orchestrator/status/network-event.ts';
import { Tiny } from './tiny.ts';

describe('devnet watch', () => {
  const tiny = new Tiny();
  // The verifier has other blocks from block 2 on.
  beforeAll(async () => {
    const spec = tiny.spec('seen', { el: 'args: { fork: 2 }' });
    expect((await tiny.run('up', spec, '-d')).code).toBe(0);
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  const eventsOf = (text: string): NetworkEvent[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => networkEvent.parse(JSON.parse(line)));

  it('prints one object a line: first the present, then what happens; Ctrl-C ends it with 130', async () => {
    const watch = tiny.start(['watch', 'seen', '--json']);
    const kinds = () => new Set(eventsOf(watch.stdout()).map(({ kind }) => kind));
    await expect.poll(kinds, { interval: 20 }).toContain('divergence');
    expect((await tiny.run('node', 'stop', 'verifier.cl')).code).toBe(0);
    expect((await tiny.run('node', 'start', 'verifier.cl')).code).toBe(0);
    await expect.poll(kinds, { interval: 20 }).toContain('ended');
    watch.child.kill('SIGINT');
    expect(await watch.closed).toEqual({ code: 130, signal: null });
    expect(watch.stderr()).toBe('');
    const events = eventsOf(watch.stdout());
    expect(events.find(({ kind }) => kind === 'divergence')).toMatchObject({
      chain: 'main',
      block: 2,
      nodes: ['verifier'],
      how: 'hash',
    });
    for (const kind of ['head', 'started', 'phase', 'ended'] as const)
      expect(events.map((event) => event.kind)).toContain(kind);
  });

  it('shows a late reader the standing problems, and status lists the divergence as one', async () => {
    const watch = tiny.start(['watch']);
    await expect.poll(watch.stdout, { interval: 20 }).toContain('divergence  main/verifier');
    // The event comes before the state file.
    await expect
      .poll(() => tiny.json('status'))
      .toMatchObject({
        phase: 'degraded',
        problems: expect.arrayContaining([
          expect.objectContaining({
            subject: 'main/verifier/el',
            what: expect.stringContaining('has another block 2 than main/sequencer'),
          }),
        ]),
      });
    watch.child.kill('SIGTERM');
    expect((await watch.closed).code).toBe(143);
  });

  it('ends with the network, and says so', async () => {
    const watch = tiny.start(['watch', 'seen']);
    await expect.poll(watch.stdout, { interval: 20 }).toContain('phase');
    expect((await tiny.run('down', 'seen')).code).toBe(0);
    expect(await watch.closed).toEqual({ code: 0, signal: null });
    expect(watch.stderr()).toBe('seen has ended\n');
    expect((await tiny.run('watch', 'seen')).code).toBe(2);
  });
});
