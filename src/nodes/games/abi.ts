import { concatAll, u256be } from '../../protocol/bytes.ts';
import { keccak256Text } from '../../protocol/hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { Failure } from '../../system/failure.ts';

const WORD_BYTES = 32;

/** Encodes calldata: the function's selector and its arguments, each of whole words (geth: `ABI.Pack`). */
export function calldata(signature: string, ...args: readonly Uint8Array[]): Uint8Array {
  return concatAll([keccak256Text(signature).subarray(0, 4), ...args]);
}

/** Encodes an address argument. */
export function addressWord(address: Hex): Uint8Array {
  return concatAll([new Uint8Array(12), hexToSized(address, 20)]);
}

/** Encodes dynamic bytes without their offset: length, content, padding. */
export function bytesTail(content: Uint8Array): Uint8Array {
  return concatAll([u256be(content.length), content, new Uint8Array(-content.length & (WORD_BYTES - 1))]);
}

/** Decodes the words of an answer as numbers and addresses (geth: `ABI.Unpack`). */
export class Words {
  readonly #bytes: Uint8Array;

  constructor(answer: Hex) {
    this.#bytes = hexToBytes(answer);
  }

  number(at: number): number {
    return Number(this.bigint(at));
  }

  bigint(at: number): bigint {
    return BigInt(this.hash(at));
  }

  hash(at: number): Hex {
    return bytesToHex(this.#word(at));
  }

  address(at: number): Hex {
    return bytesToHex(this.#word(at).subarray(12));
  }

  #word(at: number): Uint8Array {
    const word = this.#bytes.subarray(at * WORD_BYTES, (at + 1) * WORD_BYTES);
    if (word.length < WORD_BYTES)
      throw new Failure(
        'answer',
        `a contract on L1 answered ${this.#bytes.length} bytes: expected a word at ${at * WORD_BYTES}`,
        {
          hint: 'check that the addresses given are those of the contracts that this program knows',
        },
      );
    return word;
  }
}

/** Calls a view function at the head (op-service: `SingleCall`). */
export async function view(rpc: RpcClient, to: Hex, signature: string, ...args: readonly Uint8Array[]): Promise<Words> {
  const call = { to, data: bytesToHex(calldata(signature, ...args)) };
  return new Words(await rpc.call<Hex>('eth_call', [call, 'latest']));
}

/** Checks that an address has code. @throws Failure if it has none */
export async function mustHaveCode(rpc: RpcClient, address: Hex, what: string, option: string): Promise<void> {
  if ((await rpc.call<Hex>('eth_getCode', [address, 'latest'])) !== '0x') return;
  throw new Failure('no-contract', `there is no contract at ${address} on L1: expected the ${what}`, {
    data: { address },
    hint: `check --${option} and --l1-eth-rpc`,
  });
}
