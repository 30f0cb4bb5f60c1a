/** What was wrong with genesis inputs. */
export type GenesisErrorCode = 'slot-missing' | 'slot-width' | 'account';

/** Genesis inputs or the contracts file do not fit together. Not to be retried: the inputs have to change. */
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
