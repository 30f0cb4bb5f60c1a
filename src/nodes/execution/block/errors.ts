/** A block that is invalid (reth: `ConsensusError`). `field` names the header field or part that is wrong. */
export class BlockInvalid extends Error {
  override readonly name = 'BlockInvalid';
  readonly field: string;

  constructor(field: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.field = field;
  }
}
