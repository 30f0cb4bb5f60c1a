import { concatAll } from '../../../protocol/bytes.ts';
import type { ReceiptLog } from '../../../protocol/codec/receipt.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { BlockInvalid } from './errors.ts';
import { systemCall } from './system-calls.ts';

/** System contract of withdrawal requests (EIP-7002). */
export const WITHDRAWAL_QUEUE: Hex = '0x00000961ef480eb55e80d19ad83579a64c007002';
/** System contract of consolidation requests (EIP-7251). */
export const CONSOLIDATION_QUEUE: Hex = '0x0000bbddc7ce488642fb579f8b00f3a590007251';

/** System contracts that return a block's requests when they are called at its end, by request type. */
const QUEUES: readonly (readonly [number, Hex])[] = [
  [1, WITHDRAWAL_QUEUE],
  [2, CONSOLIDATION_QUEUE],
];
/** Request type of EIP-6110. */
const DEPOSIT_REQUEST = 0;
const DEPOSIT_EVENT: Hex = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5';
/** Layout of a deposit event: offset of each field's length word, and its length. */
const DEPOSIT_FIELDS = [
  [160, 48],
  [256, 32],
  [320, 8],
  [384, 96],
  [512, 8],
] as const;
const DEPOSIT_LOG_BYTES = 576;

/**
 * Collects the execution requests of a block after its transactions (EIP-7685).
 * Counterparts in geth: `ParseDepositLogs`, `ProcessWithdrawalQueue`, `ProcessConsolidationQueue`.
 * Each is type ‖ data; requests without data are omitted. @throws BlockInvalid
 */
export async function collectRequests(
  vm: BlockEvm,
  logs: readonly ReceiptLog[],
  depositContract: Hex | undefined,
): Promise<Uint8Array[]> {
  const requests: [number, Uint8Array][] = [[DEPOSIT_REQUEST, concatAll(depositRequests(logs, depositContract))]];
  for (const [type, address] of QUEUES) {
    if (vm.state.code(hexToBytes(address)).length === 0)
      throw new BlockInvalid('requestsHash', `no code at ${address} to return the requests of the block`);
    const { failure, returnValue } = await systemCall(vm, address, '0x');
    if (failure !== undefined)
      throw new BlockInvalid('requestsHash', `the system call to ${address} failed: ${failure}`);
    requests.push([type, returnValue]);
  }
  return requests.filter(([, data]) => data.length > 0).map(([type, data]) => concatAll([Uint8Array.of(type), data]));
}

function depositRequests(logs: readonly ReceiptLog[], contract: Hex | undefined): Uint8Array[] {
  return logs
    .filter(({ address, topics }) => address === contract && topics[0] === DEPOSIT_EVENT)
    .flatMap(({ data }) => {
      const bytes = hexToBytes(data);
      const word = (at: number) => Number(BigInt(bytesToHex(bytes.subarray(at, at + 32))));
      const wellFormed =
        bytes.length === DEPOSIT_LOG_BYTES &&
        DEPOSIT_FIELDS.every(([at, length], index) => word(index * 32) === at && word(at) === length);
      if (!wellFormed) throw new BlockInvalid('requestsHash', 'a deposit event is not laid out as EIP-6110 requires');
      return DEPOSIT_FIELDS.map(([at, length]) => bytes.subarray(at + 32, at + 32 + length));
    });
}
