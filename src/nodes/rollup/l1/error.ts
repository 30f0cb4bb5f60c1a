/** What L1 data can be: missing so far (`not-found`, may come), or not what its hash says (`mismatch`, the endpoint lies or is broken). */
export type L1ErrorKind = 'not-found' | 'mismatch';

/** L1 data that cannot be used. Transport failures stay the transport's own errors. */
export class L1Error extends Error {
  readonly kind: L1ErrorKind;

  constructor(kind: L1ErrorKind, message: string) {
    super(message);
    this.name = 'L1Error';
    this.kind = kind;
  }
}
