import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpPost } from '../../rpc/client/http-rest.ts';
import { dispatch } from '../../rpc/server/dispatch.ts';
import { end, readBody } from '../../rpc/server/listener.ts';
import { messageOf } from '../../system/failure.ts';
import type { Conductor } from './conductor.ts';
import { CONDUCTOR_METHODS } from './methods.ts';
import { answerOf, sendingsIn } from './pending.ts';

/** Most bytes of a request and of an answer, and the time (ms) that the leader has. */
const MAX_BODY = 64 * 1024 * 1024;
const PASS_ON_TIMEOUT_MS = 15_000;

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Serves the paths beside the root. `/member/NAME` is the conductor's RPC for one member. `/cl` and `/el` pass requests
 * on to the leader (op-conductor: `rpc.enable-proxy`), and `/el/NAME` does so for the transactions of a member.
 */
export function conductorRoute(
  conductor: Conductor,
  version: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [, place = '', name] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    if (request.method !== 'POST' || !['member', 'el', 'cl'].includes(place)) return false;
    void readBody(request, MAX_BODY)
      .then((body) => {
        if (body === undefined) return end(response, 413, `request body over ${MAX_BODY} bytes\n`);
        return place === 'member'
          ? answerMember(conductor, version, name, body, response)
          : passOn(conductor, { place: place === 'el' ? 'el' : 'cl', name }, body, response);
      })
      .catch((error: unknown) => end(response, 503, `${messageOf(error)}\n`));
    return true;
  };
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
  const answer = await dispatch({ methods: CONDUCTOR_METHODS, context }, body.toString('utf8'), call);
  end(response, 200, answer ?? '', JSON_TYPE);
}

async function passOn(
  conductor: Conductor,
  { place, name }: { readonly place: 'el' | 'cl'; readonly name: string | undefined },
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const leader = conductor.leader();
  if (leader === undefined) return end(response, 503, 'no member leads\n');
  const sendings = place === 'el' ? sendingsIn(body) : [];
  const [first] = sendings;
  if (name === leader.name && first !== undefined) {
    // The leader has its transaction already. It keeps it in its own pool.
    conductor.pending.add([first.raw]);
    return end(response, 200, answerOf(first), JSON_TYPE);
  }
  const answer = await httpPost(leader[place], body, {
    timeoutMs: PASS_ON_TIMEOUT_MS,
    maxBytes: MAX_BODY,
    headers: JSON_TYPE,
  });
  if (answer.status === 200) conductor.pending.add(sendings.map(({ raw }) => raw));
  response.writeHead(answer.status, { ...JSON_TYPE, 'content-length': answer.body.length });
  response.end(answer.body);
}
