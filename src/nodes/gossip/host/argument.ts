/** A peer id, address or subnet from outside that is malformed (op-node: `ErrInvalidRequest`). */
export class ArgumentError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ArgumentError';
  }
}
