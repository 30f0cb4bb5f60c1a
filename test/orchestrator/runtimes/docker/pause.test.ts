import type { Container } from 'dockerode';
import { expect, it } from 'vitest';
import { runningContainer } from '../../../../src/orchestrator/runtimes/docker/container.ts';

const never = new Promise<never>(() => {});

/** A container whose daemon answers the first requests to pause it with these statuses. */
function container(statuses: number[], state: object) {
  const parts = {
    id: 'id',
    wait: () => never,
    inspect: () => Promise.resolve({ State: { Running: true, Paused: false, ...state } }),
    async pause() {
      const statusCode = statuses.shift();
      if (statusCode !== undefined) throw Object.assign(new Error('unable to freeze'), { statusCode });
    },
  };
  const output = { end: never, attached: never, until: never };
  return runningContainer('tiny', parts as unknown as Container, output as never, () => never);
}

it.each<[string, number[], object, boolean]>([
  ['is paused at the next try where a busy machine did not freeze it', [500, 500], {}, true],
  ['was paused after all', [500], { Paused: true }, true],
  ['has ended', [500], { Running: false }, false],
  ['does not run', [409], {}, false],
  ['is gone', [404], {}, false],
])('a container %s', async (_, statuses, state, expected) => {
  await expect(container(statuses, state).pause()).resolves.toBe(expected);
});

it('another answer is an error', async () => {
  await expect(container([403], {}).pause()).rejects.toThrow('unable to freeze');
});
