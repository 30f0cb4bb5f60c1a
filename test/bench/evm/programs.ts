/** Loops that run until 3,000 gas are left. */
export const LOOPS: Readonly<Record<string, string>> = {
  // x = (x * x + 7); x ^= x * x % 0xfffffb
  arithmetic: '60035b80800260070162fffffb818209189050610bb85a1160025700',
  // mem[0] = keccak256(mem[0..64])
  keccak: '5b610040600020600052610bb85a1160005700',
};
