import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpPost } from '../../rpc/client/http-rest.ts';
import { dispatch } from '../../rpc/server/dispatch.ts';
import { end, readBody } from '../../rpc/server/listener.ts';
import { messageOf } from '../../system/failure.ts';
import type { Conductor } from './conductor.ts';
import type { Member } from './member.ts';
import { CONDUCTOR_METHODS } from './methods.ts';
import { answerOf, type Pending, sendingsIn } from './pending.ts';

/** Most bytes of a request and of an answer, and the time (ms) that the leader has. */
const MAX_BODY = 64 * 1024 * 1024;
const PASS_ON_TIMEOUT_MS = 15_000;

const JSON_TYPE = { 'content-type': 'application/json' };

type Route = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Where requests go. */
export interface Leading {
  leader(): Member | undefined;
  /** Keeps the transactions that were passed on. */
  readonly pending: Pending;
}

/**
 * Serves the paths beside the root. `/member/NAME` is the conductor's RPC for one member. `/cl` and `/el` pass requests
 * on to the leader (op-conductor: `rpc.enable-proxy`), and `/el/NAME` does so for the transactions of a member.
 */
export function conductorRoute(conductor: Conductor, version: string): Route {
  const toLeader = leaderRoute(conductor);
  return (request, response) => {
    const { place, name } = placeOf(request);
    if (place !== 'member') return toLeader(request, response);
    return answer(request, response, (body) => answerMember(conductor, version, name, body, response));
  };
}

/** Serves the paths that pass requests on to the leader. */
export function leaderRoute(set: Leading): Route {
  return (request, response) => {
    const { place, name } = placeOf(request);
    if (place !== 'el' && place !== 'cl') return false;
    return answer(request, response, (body) => passOn(set, { place, name }, body, response));
  };
}

function placeOf({ url = '' }: IncomingMessage): { readonly place: string; readonly name: string | undefined } {
  const [, place = '', name] = url.split('?')[0]?.split('/') ?? [];
  return { place, name };
}

/** Answers a POST by its body. */
function answer(request: IncomingMessage, response: ServerResponse, respond: (body: Buffer) => Promise<void>): boolean {
  if (request.method !== 'POST') return false;
  void readBody(request, MAX_BODY)
    .then((body) => (body === undefined ? end(response, 413, `request body over ${MAX_BODY} bytes\n`) : respond(body)))
    .catch((error: unknown) => end(response, 503, `${messageOf(error)}\n`));
  return true;
}

async function answerMember(
  conductor: Conductor,
  version: string,
  name: string | undefined,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const member = conductor.parts.members.find((each) => each.name === name);
  if (member === undefined) return end(response, 404, `no member ${name}\n`);
  const context = { conductor, member, version };
  const call = { transport: 'http' as const, from: '', closed: new AbortController().signal };
  const result = await dispatch({ methods: CONDUCTOR_METHODS, context }, body.toString('utf8'), call);
  end(response, 200, result ?? '', JSON_TYPE);
}

async function passOn(
  set: Leading,
  { place, name }: { readonly place: 'el' | 'cl'; readonly name: string | undefined },
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const leader = set.leader();
  if (leader === undefined) return end(response, 503, 'no member leads\n');
  const sendings = place === 'el' ? sendingsIn(body) : [];
  const [first] = sendings;
  if (name === leader.name && first !== undefined) {
    // The leader has its transaction already. It keeps it in its own pool.
    set.pending.add([first.raw]);
    return end(response, 200, answerOf(first), JSON_TYPE);
  }
  const reply = await httpPost(leader[place], body, {
    timeoutMs: PASS_ON_TIMEOUT_MS,
    maxBytes: MAX_BODY,
    headers: JSON_TYPE,
  });
  if (reply.status === 200) set.pending.add(sendings.map(({ raw }) => raw));
  response.writeHead(reply.status, { ...JSON_TYPE, 'content-length': reply.body.length });
  response.end(reply.body);
}
