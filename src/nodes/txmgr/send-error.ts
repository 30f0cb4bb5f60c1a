/** Why an execution client rejects a transaction. Clients word the reasons differently. */
export type SendErrorKind = 'known' | 'nonce-used' | 'underpriced' | 'funds' | 'busy' | 'too-large' | 'final';

const WORDS: readonly (readonly [RegExp, SendErrorKind])[] = [
  [/already known|already imported|known transaction/i, 'known'],
  [/nonce too low|nonce is too low|already been used|invalid nonce/i, 'nonce-used'],
  [
    new RegExp(
      'underpriced|fee too low|fee cap less than|less than block base fee|max fee per gas less|' +
        'fee too small|max fee per blob gas',
      'i',
    ),
    'underpriced',
  ],
  [/insufficient funds|insufficient balance|doesn't have enough funds|lack of funds/i, 'funds'],
  [
    new RegExp(
      'oversized data|gas limit too high|exceeds block gas limit|' +
        'exceeds max(?:imum per-)? ?transaction gas limit|intrinsic gas too high',
      'i',
    ),
    'too-large',
  ],
  [/already reserved|pool is full|txpool is full|too many|try again|temporarily/i, 'busy'],
];

/**
 * Classifies a rejection (op-service: `ProcessSendError`, `errStringMatch`).
 * `too-large`: less data can succeed. It has more bytes than the pool allows, or more gas than a transaction or a block
 * of L1 may have. `final`: no later attempt with the same data can succeed.
 */
export function classifySendError(message: string): SendErrorKind {
  return WORDS.find(([words]) => words.test(message))?.[1] ?? 'final';
}
