import { EXIT, Failure } from '../../system/failure.ts';
import { Member } from './member.ts';
import { RaftServer } from './raft-server.ts';
import type { RaftMember } from './raft-set.ts';

/** The members of a set. `raft`: the same with their op-conductors; undefined: they have none. */
export interface Members {
  readonly members: readonly Member[];
  readonly raft: readonly RaftMember[] | undefined;
}

/** Reads the members of the option. @throws Failure `usage` */
export function membersOf(texts: readonly string[]): Members {
  const read = texts.map(memberOf);
  const members = read.map(({ member }) => member);
  const names = new Set(members.map(({ name }) => name));
  if (members.length < 3 || names.size !== members.length)
    throw usage(`expected three or more with different names, found ${members.length}`);
  const raft = read.flatMap(({ member, server }) => (server === undefined ? [] : [{ member, server }]));
  if (raft.length !== 0 && raft.length !== members.length)
    throw usage(`expected an op-conductor of every member or of none, found ${raft.length} of ${members.length}`);
  return { members, raft: raft.length === 0 ? undefined : raft };
}

function memberOf(text: string): { readonly member: Member; readonly server: RaftServer | undefined } {
  const [name = '', cl = '', el = '', conductor, address, more] = text.split('=');
  const isWhole = name !== '' && more === undefined && URL.canParse(cl) && URL.canParse(el);
  if (isWhole && conductor === undefined) return { member: new Member({ name, cl, el }), server: undefined };
  if (isWhole && conductor !== undefined && URL.canParse(conductor) && address !== undefined)
    return { member: new Member({ name, cl, el }), server: new RaftServer(conductor, address) };
  const expected = 'NAME=ROLLUP-NODE-URL=EXECUTION-CLIENT-URL[=OP-CONDUCTOR-URL=RAFT-HOST:PORT]';
  throw usage(`expected ${expected}, found ${JSON.stringify(text)}`);
}

function usage(problem: string): Failure {
  return new Failure('usage', `--members: ${problem}`, { exit: EXIT.usage });
}
