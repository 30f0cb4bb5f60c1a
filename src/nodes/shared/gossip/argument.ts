/** A peer id, address or subnet from outside that is malformed. */
export class ArgumentError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ArgumentError';
  }
}
