import { expect, it } from 'vitest';
import { testScope } from '../../../src/library/network/test-scope.ts';
import { nodeTestScopes } from '../../../src/library/node-test-scopes.ts';

const ENDED = { code: 'test-ended', message: 'the test that made this call has ended' };

it('a scope ends its calls, resolves when each is over, and begins no further one', async () => {
  const scope = testScope();
  const cleaned = Promise.withResolvers<void>();
  const call = scope.run(async (over) => {
    await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    await cleaned.promise;
  });
  const done = scope.run(async () => 'done');
  expect(await done).toBe('done');
  let isOver = false;
  const end = scope.end().then(() => {
    isOver = true;
  });
  await expect(call).rejects.toMatchObject(ENDED);
  expect(isOver).toBe(false);
  cleaned.resolve();
  await end;
  await expect(scope.run(async () => 'further')).rejects.toMatchObject(ENDED);
  expect(scope.mustBeOpen).toThrow(ENDED.message);
});

it('tests of node:test within others have scopes of their own, and tests at the same time share one', async () => {
  const scopes = nodeTestScopes();
  const [outer, inner, beside] = [{ fullName: 'a' }, { fullName: 'a > b' }, { fullName: 'c' }];
  scopes.begin(outer);
  const ofOuter = scopes.current();
  scopes.begin(inner);
  const ofInner = scopes.current()!;
  expect(ofInner).not.toBe(ofOuter);
  await scopes.end(inner);
  await expect(ofInner.run(async () => 0)).rejects.toMatchObject(ENDED);
  expect(scopes.current()).toBe(ofOuter);
  scopes.begin(beside);
  expect(scopes.current()).toBe(ofOuter);
  await scopes.end(outer);
  expect(await ofOuter!.run(async () => 'still open')).toBe('still open');
  await scopes.end(beside);
  await expect(ofOuter!.run(async () => 0)).rejects.toMatchObject(ENDED);
  expect(scopes.current()).toBeUndefined();
});
