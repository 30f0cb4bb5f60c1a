import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';

const path = new URL('../../fixtures/transactions/cell-proofs.json', import.meta.url);
const fixture = JSON.parse(readFileSync(path, 'utf8')) as { raw: string };

/** A blob transaction with cell proofs (EIP-7594), made by cast: chain 900, two blobs, nonce 0. */
export const CELL_PROOF_TRANSACTION: Hex = bytesToHex(gunzipSync(Buffer.from(fixture.raw, 'base64')));

/** Content of its blobs from byte 1 on: each begins with the length of the data. */
export const CELL_PROOF_TEXTS = ['first blob of a stranger', 'second blob of a stranger'] as const;
