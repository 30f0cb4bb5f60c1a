/** Kind of a {@link GenesisError}. */
export type GenesisErrorCode = 'slot-missing' | 'slot-width' | 'account';

/** Error for genesis inputs and a contracts file that do not fit together. The inputs have to change before a retry. */
export class GenesisError extends Error {
  override readonly name = 'GenesisError';
  readonly code: GenesisErrorCode;
  readonly data: Readonly<Record<string, string>>;

  constructor(code: GenesisErrorCode, message: string, data: Readonly<Record<string, string>>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
