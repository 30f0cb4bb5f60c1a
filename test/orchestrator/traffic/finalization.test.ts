import { createClient, custom, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { tryFinalize } from '../../../src/orchestrator/traffic/finalization.ts';

const WITHDRAWAL = {
  nonce: 1n,
  sender: zeroAddress,
  target: zeroAddress,
  value: 2n,
  gasLimit: 3n,
  data: '0x',
} as const;
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);

it("a finalization is tried at the time of L1's newest block, whatever time its client has", async () => {
  const requests: { readonly method: string; readonly params: readonly unknown[] }[] = [];
  const transport = custom({
    async request(request) {
      requests.push(request);
      return request.method === 'eth_call' ? '0x' : { timestamp: '0x65', number: '0x7', transactions: [] };
    },
  });
  await tryFinalize(createClient({ account, transport }), zeroAddress, WITHDRAWAL);
  const [, call] = requests;
  expect(call?.params.at(-1)).toEqual({ time: '0x65' });
});
