import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { RpcError } from '../../../../src/rpc/error.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { genesisText, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';
import { signTransaction } from '../support/sign-transaction.ts';

const genesis = genesisText(upTo('jovian'));
const one = ACCOUNTS[0]!;

/** Starts an endpoint that answers each request with a text, or never. */
async function endpoint(answer: string | undefined): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    if (answer !== undefined) response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each(['go', 'rust'] as const)('a verifier of the %s client', (flavour) => {
  test('forwards to the sequencer, and keeps the transaction in its pool as the option says', async () => {
    await using sequencer = await launch(genesis, { flavour: 'go' });
    await using forgetful = await launch(genesis, { flavour, sequencer: sequencer.url, admission: false });
    await using keeping = await launch(genesis, { flavour, sequencer: sequencer.url, admission: true });
    const count = (node: typeof keeping) => node.rpc.call('eth_getTransactionCount', [one.address, 'pending']);
    const hash = await forgetful.rpc.call<Hex>('eth_sendRawTransaction', [await signTransaction(one)]);
    expect(await sequencer.rpc.call('eth_getTransactionByHash', [hash])).toMatchObject({ hash });
    expect(await count(forgetful)).toBe('0x0');
    await keeping.rpc.call('eth_sendRawTransaction', [await signTransaction(one, { nonce: 1 })]);
    expect(await sequencer.rpc.call('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' });
    expect(await keeping.rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' });
    await expect(forgetful.rpc.call('eth_sendRawTransaction', [await signTransaction(one)])).rejects.toMatchObject({
      code: -32000,
      message: 'already known',
    });
    await expect(
      forgetful.rpc.call('eth_sendRawTransaction', [await signTransaction(one, { gas: 20_000n, nonce: 2 })]),
    ).rejects.toMatchObject({ code: -32000, message: 'intrinsic gas too low: gas 20000, minimum needed 21000' });
  });

  test('returns the error of the sequencer unchanged', async () => {
    const error = { code: -32042, message: 'closed on Sundays', data: { until: 'Monday' } };
    await using sequencer = await endpoint(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    await using verifier = await launch(genesis, { flavour, sequencer: sequencer.url, admission: true });
    const sent = verifier.rpc.call('eth_sendRawTransaction', [await signTransaction(one)]);
    await expect(sent).rejects.toEqual(new RpcError(error.code, error.message, error.data));
    expect(await verifier.rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
  });

  const code = flavour === 'go' ? -32000 : -32603;
  test.each([
    ['is down', async () => ({ url: 'http://127.0.0.1:1', async [Symbol.asyncDispose]() {} }), /ECONNREFUSED/],
    ['does not answer', () => endpoint(undefined), /no answer within 100 ms/],
    ['is not a JSON-RPC endpoint', () => endpoint('<html>'), /HTTP 200: <html>/],
  ])('reports that the sequencer %s', async (_, start, reason) => {
    await using sequencer = await start();
    await using verifier = await launch(genesis, { flavour, sequencer: sequencer.url, patience: 100 });
    const failure = verifier.rpc.call('eth_sendRawTransaction', [await signTransaction(one)]);
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(reason) });
    await expect(failure).rejects.toThrow(/^cannot forward the transaction to the sequencer: http:\/\/127\.0\.0\.1:/);
  });
});

test('the go client refuses an invalid transaction before it forwards it', async () => {
  await using sequencer = await endpoint(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'00'.repeat(32)}` }));
  await using verifier = await launch(genesis, { flavour: 'go', sequencer: sequencer.url });
  const unprotected = await one.signTransaction({
    type: 'legacy',
    nonce: 0,
    gas: 21_000n,
    gasPrice: 10n ** 10n,
    to: one.address,
  });
  await expect(verifier.rpc.call('eth_sendRawTransaction', [unprotected])).rejects.toMatchObject({
    message: 'only replay-protected (EIP-155) transactions allowed over RPC',
  });
});
