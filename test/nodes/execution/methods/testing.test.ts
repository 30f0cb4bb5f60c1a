import { expect, test } from 'vitest';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { L1_GENESIS, withBlobs } from '../support/l1-genesis.ts';
import { launch } from '../support/nodes.ts';

test.each(['go', 'rust'] as const)('testing_dropTransaction empties the pool of the %s flavour', async (flavour) => {
  await using node = await launch(L1_GENESIS, { flavour });
  const network = bytesToHex(await withBlobs(0, 0, 'one'));
  const hash = await node.rpc.call<Hex>('eth_sendRawTransaction', [network]);
  // The pool has the network form, by which the transaction can be sent again.
  expect(await node.rpc.call('eth_getRawTransactionByHash', [hash])).toBe(network);
  expect(await node.rpc.call('testing_dropTransaction', [hash])).toBe(hash);
  expect(await node.rpc.call('txpool_status')).toMatchObject({ pending: '0x0' });
  expect(await node.rpc.call('testing_dropTransaction', [hash])).toBeNull();
  expect(await node.rpc.call('eth_sendRawTransaction', [network])).toBe(hash);
});
