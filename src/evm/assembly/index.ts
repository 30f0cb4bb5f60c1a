export { accountOf, warmAccount } from './access/accounts';
export { revertTo } from './access/journal';
export { valueOf, warmSlot } from './access/slots';
export { beginTransaction } from './access/transaction';
export { analyse } from './code';
export { inspect } from './generated/inspect';
export { run } from './generated/run';
export * from './layout';
