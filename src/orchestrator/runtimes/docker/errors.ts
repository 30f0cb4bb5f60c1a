import { EXIT, Failure, messageOf, systemCode } from '../../../system/failure.ts';

/** Explains why a daemon cannot be reached. */
export function unreachable(address: string, error: unknown): Failure<'docker'> {
  const [what, hint] = reasons(address, error);
  return new Failure('docker', what, { exit: EXIT.lacking, hint, data: { docker: messageOf(error) } });
}

function reasons(address: string, error: unknown): readonly [what: string, hint: string] {
  switch (systemCode(error)) {
    case 'ENOENT':
      return [
        `there is no Docker daemon: ${address} does not exist`,
        'install Docker and start it, or name its socket: DOCKER_HOST=unix:///path/of/docker.sock',
      ];
    case 'ECONNREFUSED':
      return [
        `the Docker daemon of ${address} is stopped`,
        'start it: sudo systemctl start docker, or dockerd as root',
      ];
    case 'EACCES':
    case 'EPERM':
      return [
        `no permission to use the Docker daemon at ${address}`,
        'sudo usermod -aG docker $USER and log in again, or use a rootless daemon (DOCKER_HOST)',
      ];
    default:
      return unusable(address, messageOf(error));
  }
}

function unusable(address: string, text: string): readonly [what: string, hint: string] {
  if (/HTTP request to an HTTPS server/i.test(text))
    return [
      `the Docker daemon at ${address} takes connections by TLS only`,
      'export DOCKER_TLS_VERIFY=1 and name the folder of its certificates: DOCKER_CERT_PATH=…',
    ];
  if (/certificate|EPROTO|wrong version number|SSL|TLS/i.test(text))
    return [
      `no TLS connection to the Docker daemon at ${address}: ${text}`,
      'see ca.pem, cert.pem and key.pem in DOCKER_CERT_PATH, or unset DOCKER_TLS_VERIFY if it uses none',
    ];
  return [
    `the Docker daemon at ${address} gives no usable answer: ${text}`,
    'see `docker version`, DOCKER_HOST and the log of the daemon',
  ];
}

/** The status of an answer of the daemon, undefined if it gave none. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { readonly statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** Messages of a daemon that is stopping, or whose containers ended with it. */
const GOING = /non running container|transport is closing|context canceled|shutting down/i;

/** Returns whether a request failed because the daemon is away, going, or has lost its containers meanwhile. */
export function isAway(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'docker';
  return statusOf(error) === undefined ? systemCode(error) !== undefined : GOING.test(messageOf(error));
}

/** What happened and what to do when the daemon's disk is full. */
export const DISK_FULL = [
  "the disk of Docker's images and containers is full",
  'free some: docker system prune, or `devnet down --all`',
] as const;

const NO_SPACE = /no space left on device/i;

/** Returns whether the daemon says that its disk is full. */
export function isDiskFull(error: unknown): boolean {
  return NO_SPACE.test(messageOf(error));
}

/** Patterns of the daemon's messages, each with its explanation. The first that matches counts. */
const EXPLANATIONS: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly [what: string, hint: string]])[] =
  [
    [
      /port is already allocated|address already in use/i,
      () => ['a port of the devnet is taken', 'end the process that holds it, or give another port'],
    ],
    [
      /container name "?([^" ]+)"? is already in use by container "?(\w{12})?/i,
      ([, name, id]) => [
        `the container name ${name} is taken by another container`,
        `see docker ps -a; docker rm -f ${id ?? name}`,
      ],
    ],
    [
      /network with name "?([^" ]+)"? already exists/i,
      ([, name]) => [`the network name ${name} is taken by another network`, `docker network rm ${name}`],
    ],
    [
      /non-overlapping IPv4 address pool|Pool overlaps/i,
      () => [
        'Docker has no free subnet for the network of the devnet',
        'remove networks that are not used: docker network prune',
      ],
    ],
    [NO_SPACE, () => DISK_FULL],
    [
      /exec format error|no matching manifest|does not match the (specified|detected) (host )?platform/i,
      () => ['its image is for another processor', 'give an image for this processor: image: …'],
    ],
    [
      /exec: "([^"]+)": (?:executable file not found|stat )|([^ ]+): no such file or directory/i,
      ([, a, b]) => [`the image has no program ${a ?? b ?? ''}`.trim(), 'give an image of this client: image: …'],
    ],
  ];

/** Explains an answer of the daemon to a request about a container of `image`. */
export function failureOfAnswer(error: unknown, image: string): Failure<'spawn'> {
  if (error instanceof Failure) return error;
  const text = messageOf(error);
  const { address, port } = error as { readonly address?: string; readonly port?: number };
  if (statusOf(error) === undefined && address !== undefined) {
    const { message, hint } = unreachable(port === undefined ? `unix://${address}` : `${address}:${port}`, error);
    return failure(message, hint ?? '', error);
  }
  if (statusOf(error) === 404 && /no such image/i.test(text))
    return failure(`there is no image ${image}`, `docker pull ${image}, or give another one: image: …`, error);
  for (const [pattern, explain] of EXPLANATIONS) {
    const match = pattern.exec(text);
    if (match !== null) return failure(`${explain(match)[0]} (${image})`, explain(match)[1], error);
  }
  return failure(`Docker cannot run ${image}: ${text}`, 'see the log of the Docker daemon', error);
}

function failure(what: string, hint: string, cause: unknown): Failure<'spawn'> {
  return new Failure('spawn', what, { exit: EXIT.lacking, hint, data: { docker: messageOf(cause) } });
}

/** The port that the daemon's message names as taken. */
export function takenPort(error: unknown): number | undefined {
  const text = messageOf(error);
  if (!/already allocated|already in use/i.test(text)) return undefined;
  const port = /(?:\d+\.){3}\d+:(\d+)/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}
