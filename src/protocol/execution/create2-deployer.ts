import type { Hex } from '../types.ts';

/** Code that the execution engine sets at the start of one block, without a transaction; nonce and balance stay as they are. */
export interface ForcedCode {
  readonly address: Hex;
  /** keccak-256 of the code. */
  readonly codeHash: Hex;
}

/** The Create2Deployer preinstall that canyon repairs (specification: canyon, create2Deployer). */
export const CREATE2_DEPLOYER: ForcedCode = {
  address: '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2',
  codeHash: '0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2',
};
