/** Loops that run until little gas is left. */
export const LOOPS: Readonly<Record<string, string>> = {
  // x = x * x + 7, x ^= x * x % 0xfffffb
  arithmetic: '60035b80800260070162fffffb818209189050610bb85a1160025700',
  // mem[0] = keccak256(mem[0..64])
  keccak: '5b610040600020600052610bb85a1160005700',
  // s = i++ & 1023, sstore(s, sload(s) + 1)
  'warm slots': '60005b806103ff168054600101905560010161c3505a1160025700',
  // sstore(i, i++)
  'new slots': '60015b80805560010161c3505a1160025700',
};
