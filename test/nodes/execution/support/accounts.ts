import { privateKeyToAccount } from 'viem/accounts';

/** Keys 1 … 5, funded in every test genesis. */
export const ACCOUNTS = [1, 2, 3, 4, 5].map((key) => privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`));
