/** Files to mutate, and the cheapest tests that must kill every mutant. */
export interface Group {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** Database functions to mutate as well. */
  readonly functions?: readonly string[]
}

const inFolder = (folder: string, ...files: string[]) => files.map((file) => `${folder}/${file}`)
const kernel = (...files: string[]) => inFolder('packages/kernel/src', ...files)
const dialects = (...files: string[]) => inFolder('packages/dialects/src', ...files)
const tokens = (...files: string[]) => inFolder('packages/tokens/src', ...files)
const banking = (...files: string[]) => inFolder('services/banking/src', ...files)

export const groups = {
  conditions: {
    mutate: kernel('http/conditions.ts'),
    tests: kernel('http/conditions.test.ts'),
  },
  shares: {
    mutate: kernel('sharing/{every,fair-queue,fair-quota,fair-semaphore,semaphore,sweeper}.ts'),
    tests: kernel('sharing/{every,fair-semaphore,semaphore}.test.ts'),
  },
  signed: {
    mutate: dialects('signed/{arn,authorization,canonical,idempotency,resource-name,signature,verify}.ts'),
    tests: dialects('signed/{arn,resource-name,vectors,verify,signed}.test.ts'),
  },
  callers: {
    mutate: dialects('bearer.ts', 'basic/server.ts', 'keyed/server.ts'),
    tests: dialects('callers.test.ts'),
  },
  google: {
    mutate: dialects('google/{codes,field-mask,normalize,operations,server,spelling}.ts'),
    tests: dialects('google/google.test.ts'),
  },
  arm: {
    mutate: dialects('arm/{bindings,ids,operations,polling,server,spelling,subscriptions,versions}.ts'),
    tests: dialects('arm/{arm,operations,subscriptions,units}.test.ts'),
  },
  tokens: {
    mutate: tokens('{gcm,issue}.ts', 'issuers/*.ts', 'keys/*.ts', 'revocations/*.ts', 'vault/*.ts', 'verify/*.ts'),
    tests: tokens('{issuers,keys,revocations,vault,verify}/*.test.ts'),
  },
  breaker: {
    mutate: kernel('db/connection/{addresses,circuit-breaker,fair-pool,unavailable}.ts'),
    tests: kernel('db/connection/{addresses,outage,shares}.test.ts'),
  },
  claims: {
    mutate: kernel('jobs/{claim,keys,queue-lane}.ts'),
    tests: kernel('jobs/{claim,keys}.test.ts'),
  },
  fences: {
    mutate: kernel('jobs/{lease,operations,run,transaction}.ts'),
    tests: kernel('jobs/{fences,jobs,keys,lease}.test.ts'),
  },
  timers: {
    mutate: kernel('jobs/{jobs,timers}.ts'),
    tests: kernel('jobs/timers.test.ts'),
  },
  retention: {
    mutate: kernel('retention.ts'),
    tests: kernel('retention.test.ts'),
  },
  credentials: {
    mutate: kernel('auth/{credentials,operated,permissions}.ts'),
    tests: kernel('auth/credentials.test.ts'),
  },
  ledger: {
    mutate: banking('ledger/{money,store}.ts'),
    tests: banking('ledger/{concurrency,ledger,money}.test.ts'),
    functions: ['banking.post_transaction', 'banking.refuse_unbalanced', 'banking.refuse_removal'],
  },
} satisfies Readonly<Record<string, Group>>

export type GroupName = keyof typeof groups
