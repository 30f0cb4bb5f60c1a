/**
 * Faults of L1 data.
 * - `not-found`: missing so far.
 * - `mismatch`: the data does not match its hash; the endpoint is broken or dishonest.
 */
export type L1ErrorKind = 'not-found' | 'mismatch';

/** Unusable L1 data. Transport failures stay TransportError. */
export class L1Error extends Error {
  readonly kind: L1ErrorKind;

  constructor(kind: L1ErrorKind, message: string) {
    super(message);
    this.name = 'L1Error';
    this.kind = kind;
  }
}
