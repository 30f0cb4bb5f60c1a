import { describe, expect, it } from 'vitest';
import { problemsOf, waysOutOf } from './problems.ts';

const mnemonic = (words: string) => `chains: { main: { accounts: { mnemonic: "${words}" } } }`;
const test = (count: number) => Array(count).fill('test').join(' ');

describe('a mnemonic', () => {
  it.each([`${test(11)} junk`, `  ${test(11)}   junk `])('"%s" is accepted, whatever its spaces', (words) => {
    expect(problemsOf(mnemonic(words))).toEqual([]);
  });

  it.each([
    [`zzz ${test(10)} junk`, 'its word 1 is not in the list'],
    [`${test(11)} jank`, 'its word 12 is not in the list'],
    [test(12), 'its 12 words have a wrong number or checksum'],
    [`${test(10)} junk`, 'its 11 words have a wrong number or checksum'],
  ])('"%s" is refused: %s', (words, reason) => {
    expect(problemsOf(mnemonic(words)).map(({ message }) => message)).toEqual([`this is not a mnemonic: ${reason}`]);
    expect(waysOutOf(mnemonic(words))).toEqual([
      'value chains.main.accounts.mnemonic: ' +
        '12, 15, 18, 21 or 24 words of the English list of BIP-39, the last with the checksum',
    ]);
  });
});
