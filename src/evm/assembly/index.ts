export { accountOf, warmAccount } from './access/accounts';
export { revertTo } from './access/journal';
export { warmSlot } from './access/slots';
export { beginTransaction } from './access/transaction';
export { analyse } from './code';
export { run } from './generated/run';
export * from './layout';
