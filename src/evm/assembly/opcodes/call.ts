import { warm } from '../access/journal';
import { FOUND } from '../layout';
import { CALL, CREATE, SELF_DESTRUCTED } from '../outcome';
import { accountGas } from './accounts';

/** Gas of access to the account that a call names: the second word of the stack (EIP-2929). */
export function callGas(sp: usize): i64 {
  return accountGas(sp, 1);
}

/** CALL, CALLCODE, DELEGATECALL and STATICCALL: the host makes the call and charges what depends on state. */
export function call(): i32 {
  warm(load<u32>(FOUND));
  return CALL;
}

/** CREATE and CREATE2. */
@inline
export function create(): i32 {
  return CREATE;
}

/** Gas of access to the beneficiary of SELFDESTRUCT: a warm one is free (EIP-2929). */
export function selfDestructGas(sp: usize): i64 {
  const gas = accountGas(sp, 0);
  return gas > 100 ? gas : 0;
}

/** SELFDESTRUCT: the host moves the balance and charges what depends on state. */
export function selfDestruct(): i32 {
  warm(load<u32>(FOUND));
  return SELF_DESTRUCTED;
}
