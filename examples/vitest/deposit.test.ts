import { startDevnet } from 'rollup-devnet';
import { expect, test } from 'vitest';

test('a deposit arrives', async () => {
  await using net = await startDevnet({ spec: 'default', ports: 'auto' });
  await net.waitFor('safe:2');
  const { l2 } = await net.deposit({ to: '0x000000000000000000000000000000000000cafe', value: 10n ** 18n });
  expect(l2.status).toBe('success');
  expect((await net.check()).agree).toBe(true);
});
