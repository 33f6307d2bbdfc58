import {
  boolean,
  group,
  list,
  matching,
  oneOf,
  rate,
  setting,
  text,
  url,
  type ValuesOf,
  wholeNumber,
} from '@icosa/settings'
import {
  blobLocation,
  consoleSignIn,
  headers,
  keepDays,
  libraryEnvironment,
  masterKey,
  publicUrl,
  share,
  trustedIssuers,
} from './kinds.ts'

/** Settings of the platform itself; each service declares its own. */
export const platformSettings = group(
  {
    databaseUrl: setting(
      'DATABASE_URL',
      url({
        schemes: ['postgres:', 'postgresql:'],
        severalHosts: true,
        is: 'the address of a PostgreSQL 15 or newer',
        example: 'postgres://icosa:password@db.example.com:5432/icosa',
      }),
      {
        required: true,
        otherwise: 'its own PostgreSQL in the data folder',
        secret: true,
        meaning:
          'The database of the platform; the role must own it. Of several hosts, separated by commas, the one that accepts writes is used. May be the address of PgBouncer ([how](database.md#connections)).',
      },
    ),
    databaseDirectUrl: setting(
      'ICOSA_DATABASE_DIRECT_URL',
      url({
        schemes: ['postgres:', 'postgresql:'],
        severalHosts: true,
        is: 'the address of a PostgreSQL 15 or newer',
        example: 'postgres://icosa:password@db.example.com:5432/icosa',
      }),
      {
        otherwise: '`DATABASE_URL`',
        secret: true,
        meaning:
          'The same database without a pooler, if `DATABASE_URL` is the address of one: each worker listens there on one connection, and commands such as `icosa migrate` use it.',
      },
    ),
    directoryUrl: setting(
      'ICOSA_DIRECTORY_URL',
      url({
        schemes: ['postgres:', 'postgresql:'],
        severalHosts: true,
        is: 'the address of a PostgreSQL 15 or newer',
        example: 'postgres://icosa:password@directory.example.com:5432/directory',
      }),
      {
        otherwise: 'the platform is its only cell',
        secret: true,
        meaning: 'The database of the [directory of cells](cells.md): which tenant is in which cell, and names in use.',
      },
    ),
    cell: setting(
      'ICOSA_CELL',
      matching(/^[a-z][a-z0-9-]{0,30}$/, { is: 'the name of a cell', example: 'eu-1' }, ([all]) => all),
      {
        otherwise: 'the node is in no directory',
        meaning: 'The cell of a node, as `icosa cells add` named it.',
      },
    ),
    maxConnections: setting('ICOSA_DB_CONNECTIONS', wholeNumber({ from: 1, to: 10_000 }), {
      default: '10',
      meaning: 'How many connections to the database each node opens.',
    }),
    host: setting('ICOSA_HOST', text({ is: 'an address of this machine', example: '127.0.0.1' }), {
      default: '127.0.0.1',
      meaning: 'The address on which an API node listens.',
    }),
    port: setting('ICOSA_PORT', wholeNumber({ to: 65_535 }), {
      default: '4000',
      meaning: 'The port on which an API node listens.',
    }),
    metrics: {
      port: setting('ICOSA_METRICS_PORT', wholeNumber({ to: 65_535 }), {
        otherwise: 'metrics are not served',
        example: '9464',
        meaning:
          'The port on which a node serves `/metrics` for Prometheus, and nothing else; 0 selects a free one. Metrics are never served on the API port.',
      }),
      host: setting('ICOSA_METRICS_HOST', text({ is: 'an address of this machine', example: '127.0.0.1' }), {
        default: '127.0.0.1',
        meaning: 'The address on which metrics are served. They name tenants: keep callers away from it.',
      }),
    },
    publicUrls: setting('ICOSA_PUBLIC_URL', list(publicUrl), {
      required: true,
      otherwise: 'on loopback the address of the request',
      meaning:
        'The public address of the platform. Links in mails, the issuer of tokens and URLs in replies begin with it, whatever host a request names. Of several, the one whose host a request names is used, otherwise the first.',
    }),
    trustedProxies: setting('ICOSA_TRUSTED_PROXIES', wholeNumber({ to: 100 }), {
      default: '0',
      example: '1',
      meaning:
        'The number of your own proxies in front of a node, all of which set `X-Forwarded-For`, `-Proto` and `-Host`: that many entries from the end are trusted, so callers cannot forge them. Nodes must then be reachable only through these proxies.',
    }),
    masterKeys: setting('ICOSA_MASTER_KEY', list(masterKey), {
      required: true,
      otherwise: 'generates one',
      secret: true,
      meaning:
        'The key that decrypts the data keys, which encrypt secrets. A node whose key does not match its database refuses to start. To replace it: `new,old` on all nodes, `icosa master-key rotate`, then `new` ([how and why](../adr/0021-envelope-encryption-and-master-key-rotation.md)). With a token key, the master key is in the database, and only the token can decrypt it ([how](../adr/0064-customer-managed-keys-and-an-hsm-backed-master-key.md)).',
    }),
    masterKeyEnvironment: setting('ICOSA_MASTER_KEY_ENVIRONMENT', libraryEnvironment, {
      default: '{}',
      secret: true,
      meaning:
        'Environment variables for the PKCS#11 library of a token in `ICOSA_MASTER_KEY`: its process gets these and no others.',
    }),
    logLevel: setting('ICOSA_LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal'), {
      default: 'info',
      meaning:
        'The least severe level that is logged, as JSON lines on stderr. `icosa dev` prints them in readable form, and writes the JSON to `icosa.log` in the data folder.',
    }),
    clock: setting('ICOSA_CLOCK', oneOf('system', 'virtual'), {
      default: 'system',
      development: 'virtual',
      meaning: '`virtual`: the clock can be moved, through the service `platform`.',
    }),
    history: setting('ICOSA_HISTORY', oneOf('on', 'off'), {
      default: 'off',
      development: 'on',
      meaning:
        'Whether requests, jobs and deliveries are recorded in the database for three days, up to 200,000 of them, so that tenants can read the trace of a request: `GET /platform/history`.',
    }),
    clockSkewLimit: setting('ICOSA_CLOCK_SKEW_LIMIT', wholeNumber({ from: 1, to: 86_400, unit: 'seconds' }), {
      default: '60',
      meaning:
        "How far a machine's clock may differ from PostgreSQL's, which all nodes follow. Beyond it, a node takes no jobs and is not ready until the clocks agree again; from one second on, it logs a warning.",
    }),
    blobs: setting('ICOSA_BLOBS', blobLocation, {
      required: true,
      shared: 'nodes',
      otherwise: '`blobs` in the data folder',
      meaning: 'Where blobs are kept, for all nodes. S3 credentials come from the usual `AWS_*` variables.',
    }),
    blobsMinFree: setting('ICOSA_BLOBS_MIN_FREE', wholeNumber({ to: 1_000_000_000_000, unit: 'bytes' }), {
      default: '268435456',
      meaning: 'How many bytes stay free on the disk of a blob folder: uploads are refused with 503 before it is full.',
    }),
    s3: {
      endpoint: setting(
        'ICOSA_S3_ENDPOINT',
        url({ schemes: ['http:', 'https:'], is: 'an http(s) address', example: 'https://s3.example.com' }),
        { otherwise: "Amazon's", meaning: "The address of an S3 server that is not Amazon's." },
      ),
      region: setting('ICOSA_S3_REGION', text({ is: 'a region', example: 'us-east-1' }), {
        otherwise: '`AWS_REGION`',
        meaning: 'The region of the bucket.',
      }),
      defaultRegion: setting('AWS_REGION', text({ is: 'a region', example: 'us-east-1' }), {
        default: 'us-east-1',
        meaning: 'The region of the bucket, if `ICOSA_S3_REGION` does not name one.',
      }),
    },
    traces: {
      endpoint: setting(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        url({ schemes: ['http:', 'https:'], is: 'an http(s) address', example: 'http://collector.example.com:4318' }),
        {
          otherwise: 'traces are propagated but not recorded',
          meaning: 'The collector that receives traces as OTLP over HTTP in JSON, at `/v1/traces` below this address.',
        },
      ),
      headers: setting('OTEL_EXPORTER_OTLP_HEADERS', headers, {
        otherwise: 'none',
        secret: true,
        meaning: 'Headers for the collector, such as its key.',
      }),
      serviceName: setting('OTEL_SERVICE_NAME', text({ is: 'a name', example: 'icosa' }), {
        default: 'icosa',
        meaning: 'The name of this platform at the collector.',
      }),
      sampled: setting('OTEL_TRACES_SAMPLER_ARG', share, {
        default: '1',
        meaning:
          'The sampling ratio of traces that begin here, from 0 to 1. A request that already belongs to a trace is recorded if its `traceparent` is sampled.',
      }),
    },
    fetchAllow: setting(
      'ICOSA_FETCH_ALLOW',
      list(matching(/^[\da-fA-F.:]+(\/\d{1,3})?$/, { is: 'a network', example: '10.0.0.0/8' }, ([all]) => all)),
      {
        otherwise: 'none',
        development: '127.0.0.0/8,::1/128',
        example: '10.0.0.0/8,::1/128',
        meaning: 'Addresses that outbound requests may reach even though they are not public.',
      },
    ),
    rateLimit: setting('ICOSA_RATE_LIMIT', rate, {
      otherwise: 'no limit',
      meaning:
        'The rate limit of a tenant on each node, in requests per second, with a burst; for anonymous callers, that of an address.',
    }),
    subscriptions: setting('ICOSA_SUBSCRIPTIONS', oneOf('bind', 'first'), {
      default: 'bind',
      development: 'first',
      meaning:
        '`bind`: the operator assigns subscriptions to tenants with `icosa subscriptions bind`. `first`: a subscription belongs to the first tenant that creates a resource in it.',
    }),
    drainMs: setting('ICOSA_DRAIN_MS', wholeNumber({ to: 600_000, unit: 'milliseconds' }), {
      default: '5000',
      development: '0',
      meaning: 'How long a node that is stopping still accepts requests after `/readyz` returns 503.',
    }),
    concurrency: setting('ICOSA_CONCURRENCY', wholeNumber({ from: 1, to: 10_000 }), {
      default: '32',
      meaning:
        'How many jobs of one service a worker runs at once, in addition to punctual ones; a single tenant gets at most three quarters of them.',
    }),
    strictVersions: setting('ICOSA_STRICT_VERSIONS', boolean, {
      default: 'false',
      meaning: 'Whether an unknown `api-version` is refused; otherwise the reply carries a `Warning`.',
    }),
    region: setting(
      'ICOSA_REGION',
      matching(/^[a-z\d-]+$/, { is: 'a region', example: 'us-east-1' }, ([all]) => all),
      {
        default: 'us-east-1',
        meaning:
          'The region of this platform: requests to signed services must be signed for it, and the ARNs of their resources contain it.',
      },
    ),
    keepDays: setting('ICOSA_RETENTION', keepDays, {
      default: '{}',
      meaning: 'How many days the rows of a table are kept, where the [defaults](retention.md) do not suit.',
    }),
    trustedIssuers: setting('ICOSA_TRUSTED_ISSUERS', trustedIssuers, {
      default: '[]',
      meaning:
        'Other issuers whose bearer tokens are accepted. `tenant` and `permissions` apply to all tokens of an issuer; `tenantClaim` and `permissionsClaim` name the claims that hold them; `jwksUri` is discovered if it is not given.',
    }),
    consoleSignIn: setting('ICOSA_CONSOLE_SIGN_IN', consoleSignIn, {
      otherwise: 'the console asks for a key',
      meaning:
        'An OpenID Connect issuer and a public client of it, by which people [sign in to the console](console.md). The access tokens must be accepted here.',
    }),
    operator: setting(
      'ICOSA_OPERATOR',
      matching(/^[^\p{Cc}]{1,100}$/u, { is: 'a name of up to 100 characters', example: 'ada' }, ([all]) => all),
      {
        otherwise: 'the account, with `SUDO_USER` and the host',
        meaning: 'The name of the operator in the audit log; also `--as NAME`. The account is recorded as well.',
      },
    ),
    dataDirectory: setting('ICOSA_DATA', text({ is: 'a folder', example: '.icosa' }), {
      default: '.icosa',
      meaning:
        'The folder of development mode. `serve` and `worker` keep only caches and the state of sandboxes there, which may be lost at any time.',
    }),
  },
  {
    ICOSA_TRUST_PROXY: 'set ICOSA_TRUSTED_PROXIES to the number of proxies in front of a node.',
  },
)

export type PlatformSettings = ValuesOf<typeof platformSettings>
