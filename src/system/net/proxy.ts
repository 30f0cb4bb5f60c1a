/** Variables that name a proxy, as curl, Go, Rust's reqwest and Node (`NODE_USE_ENV_PROXY`) read them. */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Variables that name the hosts without a proxy. If both are set, most programs read the first. */
const EXEMPT = ['no_proxy', 'NO_PROXY'];

/** The hosts of a devnet. Programs differ in whether they understand a subnet or a name. */
const LOOPBACK = ['localhost', '127.0.0.1', '127.0.0.0/8', '::1', '[::1]'];

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the first variable that names a proxy for the addresses of a devnet, as `HTTP_PROXY=http://…`. */
export function proxyInTheWay(env: Variables): string | undefined {
  const proxy = PROXIES.find((name) => env[name]);
  return proxy === undefined || hostsWithout(env).some((host) => host === '*' || host === '127.0.0.1')
    ? undefined
    : `${proxy}=${withoutPassword(env[proxy] ?? '')}`;
}

/** Returns the variables by which a program leaves loopback out if an environment names a proxy. */
export function loopbackExempt(env: Variables): Readonly<Record<string, string>> {
  if (!PROXIES.some((name) => env[name])) return {};
  const hosts = [...new Set([...hostsWithout(env), ...LOOPBACK])].join(',');
  return Object.fromEntries(EXEMPT.map((name) => [name, hosts]));
}

function hostsWithout(env: Variables): readonly string[] {
  const text = EXEMPT.map((name) => env[name]).find((value) => value) ?? '';
  return text.split(/[\s,]+/).filter((host) => host !== '');
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//…@');
}
