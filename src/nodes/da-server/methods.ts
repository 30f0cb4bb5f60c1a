import * as z from 'zod';
import { type MethodTable, method } from '../../rpc/method.ts';
import { ANSWERS, type DaStore } from './store.ts';

/** What the methods work on. */
export interface DaServerContext {
  readonly store: DaStore;
  readonly version: string;
}

type Of = DaServerContext;

/** Methods of the DA server's JSON-RPC. Data is read and written by plain HTTP. */
export const DA_SERVER_METHODS: MethodTable<DaServerContext> = {
  health_status: method('Version of this program', z.tuple([]), ({ version }: Of) => version),
  devnet_answer: method(
    'Answers the truth (honest), no data, other data or commitments of another kind from now on',
    z.tuple([z.enum(ANSWERS)]),
    ({ store }: Of, [answers]) => {
      store.answers = answers;
      return true;
    },
  ),
};
