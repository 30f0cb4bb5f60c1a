import type { EVM, ExecResult } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { atLeast } from '../../../protocol/rules/evm-level.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StoredAccount } from '../state/account.ts';
import type { BlockEvm } from './evm-factory.ts';
import type { AccessedAccount, MessageResult, TransactionMessage, TransactionScope } from './transaction-scope.ts';

/** A transaction whose message the EVM library runs. Tracers see its steps. */
export class LibraryScope implements TransactionScope {
  readonly #vm: BlockEvm;
  readonly #journal: EVM['journal'];
  #result: ExecResult | undefined;

  constructor(vm: BlockEvm, reportsAccess: boolean) {
    this.#vm = vm;
    this.#journal = vm.evm.journal;
    this.#journal.cleanJournal();
    if (reportsAccess) this.#journal.startReportingAccessList();
  }

  warm(address: Uint8Array, slots: readonly Uint8Array[] = []): void {
    this.#journal.addAlwaysWarmAddress(bytesToHex(address));
    for (const slot of slots) this.#journal.addAlwaysWarmSlot(bytesToHex(address), bytesToHex(slot));
  }

  warmListed(address: Uint8Array, slots: readonly Uint8Array[]): void {
    this.#journal.addAlwaysWarmAddress(bytesToHex(address), true);
    for (const slot of slots) this.#journal.addAlwaysWarmSlot(bytesToHex(address), bytesToHex(slot), true);
  }

  setAccount(address: Uint8Array, { nonce, balance, storageRoot, codeHash }: StoredAccount): void {
    void this.#journal.putAccount(new Address(address), new Account(nonce, balance, storageRoot, codeHash));
  }

  async run(message: TransactionMessage): Promise<MessageResult> {
    const { caller, to, blobHashes, ...rest } = message;
    const { execResult, createdAddress } = await this.#vm.evm.runCall({
      ...rest,
      block: this.#vm.block,
      caller: new Address(caller),
      ...(to === null ? {} : { to: new Address(to) }),
      ...(blobHashes === undefined ? {} : { blobVersionedHashes: [...blobHashes] }),
      skipNonceIncrement: true,
    });
    this.#result = execResult;
    const failure = execResult.exceptionError?.error;
    return {
      gasUsed: execResult.executionGasUsed,
      refund: execResult.gasRefund ?? 0n,
      returnValue: execResult.returnValue,
      logs: execResult.logs ?? [],
      ...(createdAddress === undefined ? {} : { createdAddress: createdAddress.bytes }),
      ...(failure === undefined ? {} : { failure }),
    };
  }

  accessed(): readonly AccessedAccount[] {
    const created = this.#result?.createdAddresses;
    return [...(this.#journal.accessList ?? [])]
      .map(([address, slots]) => ({
        address: `0x${address}` satisfies Hex,
        storageKeys: [...slots].map((slot) => `0x${slot}` satisfies Hex),
      }))
      .filter(({ address, storageKeys }) => storageKeys.length > 0 || !created?.has(address));
  }

  async end(): Promise<void> {
    const onlyCreated = atLeast(this.#vm.rules.evm, 'cancun');
    for (const address of this.#result?.selfdestruct?.keys() ?? []) {
      if (onlyCreated && !this.#result?.createdAddresses?.has(address)) continue;
      await this.#journal.deleteAccount(new Address(hexToBytes(address)));
    }
    await this.#journal.cleanup();
  }

  close(): void {
    this.#journal.cleanJournal();
    this.#vm.evm.transientStorage.clear();
    this.#vm.state.originalStorageCache.clear();
  }
}
