/** Why a precompile fails, in geth's words (`core/vm/contracts.go`, op-geth's limits of inputs among them). */
export type PrecompileFailureReason =
  | 'invalid input length'
  | 'one or more of base/exponent/modulus length exceeded 1024 bytes'
  | 'bad elliptic curve pairing size'
  | 'bad elliptic curve pairing input size'
  | 'bn256: coordinate exceeds modulus'
  | 'bn256: malformed point'
  | 'invalid final flag'
  | 'mismatched versioned hash'
  | 'error verifying kzg proof'
  | 'invalid field element top bytes'
  | 'invalid fp.Element encoding'
  | 'invalid point: not on curve'
  | 'g1 point is not on correct subgroup'
  | 'g2 point is not on correct subgroup'
  | 'g1 msm input size exceeds maximum'
  | 'g2 msm input size exceeds maximum'
  | 'pairing input size exceeds maximum';

/** A precompile's failure, which uses all gas of the call. */
export class PrecompileFailure extends Error {
  readonly reason: PrecompileFailureReason;

  constructor(reason: PrecompileFailureReason) {
    super(reason);
    this.name = 'PrecompileFailure';
    this.reason = reason;
  }
}
