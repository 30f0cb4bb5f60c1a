import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { type Check, chainsOf } from './check.ts';

/** A mnemonic of the user's own has known words and a right checksum. */
export const mnemonics: Check = (context) => {
  for (const [name, { accounts }] of chainsOf(context)) {
    const { mnemonic } = accounts;
    if (mnemonic === null || validateMnemonic(mnemonic, wordlist)) continue;
    const words = mnemonic.split(' ');
    const unknown = words.findIndex((word) => !wordlist.includes(word));
    const what =
      unknown >= 0
        ? `its word ${unknown + 1} is not in the list`
        : `its ${words.length} words have a wrong number or checksum`;
    context.report(['chains', name, 'accounts', 'mnemonic'], 'value', `this is not a mnemonic: ${what}`, {
      allowed: '12, 15, 18, 21 or 24 words of the English list of BIP-39, the last with the checksum',
    });
  }
};
