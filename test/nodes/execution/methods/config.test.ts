import { expect, test } from 'vitest';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CHAIN_ID, GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

/** CRC-32 bit by bit (IEEE 802.3), as EIP-2124 requires. */
function crc(bytes: Uint8Array): string {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return `0x${((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')}`;
}

function withTime(hash: Hex, time: number): Uint8Array {
  const bytes = new Uint8Array(40);
  bytes.set(hexToBytes(hash));
  new DataView(bytes.buffer).setBigUint64(32, BigInt(time));
  return bytes;
}

interface Config {
  readonly activationTime: number;
  readonly forkId: string;
  readonly precompiles: Record<string, string>;
  readonly systemContracts: Record<string, string>;
}

test('eth_config returns the fork in force, the next and the last one, as in EIP-7910', async () => {
  const [isthmus, jovian] = [GENESIS_TIME + 100, GENESIS_TIME + 200];
  const schedule: ForkSchedule = { ...upTo('holocene'), isthmus, jovian };
  await using node = await launch(genesisText(schedule), { flavour: 'go' });
  const genesis = await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false]);
  const config = await node.rpc.call<Record<'current' | 'next' | 'last', Config>>('eth_config');
  expect(config.current).toMatchObject({
    activationTime: GENESIS_TIME,
    chainId: `0x${CHAIN_ID.toString(16)}`,
    forkId: crc(hexToBytes(genesis.hash)),
    blobSchedule: { max: 0, target: 0, baseFeeUpdateFraction: 3_338_477 },
    systemContracts: { BEACON_ROOTS_ADDRESS: '0x000f3df6d732807ef1319fb7b8bb8522d0beac02' },
  });
  expect(config.current.precompiles).toMatchObject({
    ECREC: '0x0000000000000000000000000000000000000001',
    P256VERIFY: '0x0000000000000000000000000000000000000100',
  });
  expect(config.current.precompiles).not.toHaveProperty('BLS12_G1ADD');
  expect(config.next).toMatchObject({
    activationTime: isthmus,
    forkId: crc(withTime(genesis.hash, isthmus)),
    systemContracts: { HISTORY_STORAGE_ADDRESS: expect.any(String) },
    precompiles: { BLS12_G1ADD: expect.any(String) },
  });
  expect(config.last.activationTime).toBe(jovian);
});
