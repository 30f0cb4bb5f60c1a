import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { type MethodTable, method } from '../../rpc/method.ts';
import { messageOf } from '../../system/failure.ts';
import type { Conductor } from './conductor.ts';
import type { Member } from './member.ts';

/** A request to the conductor of one member. */
export interface ConductorContext {
  readonly conductor: Conductor;
  /** Undefined: the request names no member. */
  readonly member: Member | undefined;
  readonly version: string;
}

type Of = ConductorContext;

const none = z.tuple([]);

/** Every member votes in op-conductor's words. */
const serverOf = ({ name, cl }: Member) => ({ id: name, addr: cl, suffrage: 0 });

/** Methods of the conductor's RPC, as rollup nodes and operators call op-conductor (op-conductor: `rpc.API`). */
export const CONDUCTOR_METHODS: MethodTable<ConductorContext> = {
  health_status: method('Version of this program', none, ({ version }: Of) => version),
  conductor_active: method('Whether it acts', none, ({ conductor }: Of) => !conductor.isPaused),
  conductor_paused: method('Whether it does not act', none, ({ conductor }: Of) => conductor.isPaused),
  conductor_stopped: method('Whether it ended: false', none, () => false),
  conductor_pause: method('Leaves the lead where it is from now on', none, ({ conductor }: Of) => {
    conductor.isPaused = true;
    return null;
  }),
  conductor_resume: method('Acts again', none, ({ conductor }: Of) => {
    conductor.isPaused = false;
    return null;
  }),
  conductor_leader: method('Whether this member leads', none, (of: Of) => memberOf(of) === of.conductor.leader()),
  conductor_leaderWithID: method('The member that leads', none, ({ conductor }: Of) => {
    const leader = conductor.leader();
    return leader === undefined ? { id: '', addr: '', suffrage: 0 } : serverOf(leader);
  }),
  conductor_sequencerHealthy: method('Whether this member answers', none, (of: Of) =>
    of.conductor.isHealthy(memberOf(of)),
  ),
  conductor_clusterMembership: method('The members, and the number of the term', none, ({ conductor }: Of) => ({
    servers: conductor.parts.members.map(serverOf),
    version: conductor.parts.lead.term,
  })),
  conductor_commitUnsafePayload: method(
    'Commits a block of the leader before it is published',
    z.tuple([z.unknown()]),
    (of: Of, [envelope]) => {
      const member = memberOf(of);
      plain(() => of.conductor.commit(member, envelope));
      return null;
    },
  ),
  conductor_transferLeader: method('Gives the lead to another member', none, async ({ conductor }: Of) => {
    await conductor.transfer(undefined).catch(refuse);
    return null;
  }),
  conductor_transferLeaderToServer: method(
    'Gives the lead to the member of an id',
    z.tuple([z.string(), z.string().optional()]),
    async ({ conductor }: Of, [id]) => {
      await conductor.transfer(id).catch(refuse);
      return null;
    },
  ),
  devnet_conductorStatus: method('Leader, term, last block and members', none, ({ conductor }: Of) => {
    const { lead, members } = conductor.parts;
    return {
      leader: lead.leader,
      term: lead.term,
      paused: conductor.isPaused,
      last: lead.last && { number: lead.last.number, hash: lead.last.hash },
      members: members.map((member) => statusOfMember(member, conductor.isHealthy(member))),
    };
  }),
};

/** Describes a member in the status of a set. */
export function statusOfMember({ name, state }: Member, healthy: boolean) {
  return { name, healthy, sequencing: healthy && state?.isActive === true, block: state?.head.number ?? null };
}

function memberOf({ member }: Of): Member {
  if (member !== undefined) return member;
  throw new RpcError(RPC_CODE.server, 'a member has the path /member/NAME');
}

function plain(run: () => void): void {
  try {
    run();
  } catch (error) {
    refuse(error);
  }
}

/** @throws RpcError with the message of an error */
export function refuse(error: unknown): never {
  throw new RpcError(RPC_CODE.server, messageOf(error));
}
