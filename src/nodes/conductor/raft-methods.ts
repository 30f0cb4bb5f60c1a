import * as z from 'zod';
import { type MethodTable, method } from '../../rpc/method.ts';
import { refuse, statusOfMember } from './methods.ts';
import type { RaftSet } from './raft-set.ts';

/** A request to what stands before a set of op-conductors. */
export interface RaftContext {
  readonly set: RaftSet;
  readonly version: string;
}

type Of = RaftContext;

const none = z.tuple([]);

/** Methods that a set of op-conductors answers as one. Each op-conductor has the others at its own port. */
export const RAFT_METHODS: MethodTable<RaftContext> = {
  health_status: method('Version of this program', none, ({ version }: Of) => version),
  conductor_leaderWithID: method('The member that leads', none, ({ set }: Of) => {
    const leader = set.leader();
    return { id: leader?.name ?? '', addr: leader?.cl ?? '', suffrage: 0 };
  }),
  conductor_transferLeaderToServer: method(
    'Gives the lead to the member of an id',
    z.tuple([z.string(), z.string().optional()]),
    async ({ set }: Of, [id]) => {
      await set.transfer(id).catch(refuse);
      return null;
    },
  ),
  devnet_conductorStatus: method(
    'Leader and members; op-conductor tells no term and no last block',
    none,
    (of: Of) => ({
      leader: of.set.leader()?.name ?? null,
      term: null,
      paused: of.set.isPaused,
      last: null,
      members: of.set.members.map((member) => statusOfMember(member, of.set.isHealthy(member))),
    }),
  ),
};
