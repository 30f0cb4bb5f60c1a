/** The one hash function in use, by itself: the package's index carries the code of all twenty. */
declare module 'hash-wasm/dist/keccak.umd.min.js' {
  const hashes: Pick<typeof import('hash-wasm'), 'createKeccak'>;
  export default hashes;
}
