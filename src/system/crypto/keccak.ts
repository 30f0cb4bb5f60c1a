import hashes from 'hash-wasm/dist/keccak.umd.min.js';

/** keccak-256 in WebAssembly: 8 × as fast as JavaScript on short inputs, and at full speed from the first call. */
export async function wasmKeccak(): Promise<(bytes: Uint8Array) => Uint8Array> {
  const hasher = await hashes.createKeccak(256);
  return (bytes) => hasher.init().update(bytes).digest('binary');
}
