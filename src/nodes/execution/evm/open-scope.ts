import type { BlockEvm } from './evm-factory.ts';
import { LibraryScope } from './library-scope.ts';
import { MachineScope } from './machine-scope.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Opens a transaction in a block. `reportsAccess`: `accessed` is asked for after its message. */
export function openScope(vm: BlockEvm, reportsAccess: boolean): TransactionScope {
  const isOurs = vm.isOurs && vm.tracers.size === 0;
  return isOurs ? new MachineScope(vm, reportsAccess) : new LibraryScope(vm, reportsAccess);
}
