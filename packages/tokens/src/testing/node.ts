import { type Caller, type Db, openDatabase, type Tokens } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { ensureSigningKeys } from '../keys/rotation.ts'
import { type JwtSettings, jwtTokens } from '../verify/verifier.ts'
import type { Issued } from './issue.ts'

export interface TokenApp extends AsyncDisposable, Issued {
  readonly app: TestApp
  /** Number of database queries by nodes opened with `node`. */
  queries(): number
  /** Another node's verifier, with its own connections. */
  node(settings?: JwtSettings): TestTokens
}

export interface TestTokens extends Tokens {
  /** Always returns a promise. */
  callerOf(token: string): Promise<Caller | undefined>
  disconnect(): Promise<void>
}

/** The platform with signing keys. */
export async function startTokenApp(): Promise<TokenApp> {
  const app = await startTestApp(example)
  const { database: platformDatabase, clock, cellVault, fetch, log } = app.platform
  await ensureSigningKeys(platformDatabase, clock, cellVault)
  const resources = new AsyncDisposableStack()
  resources.use(app)
  let queries = 0

  function node(settings?: JwtSettings): TestTokens {
    const database = openDatabase({ url: app.databaseUrl, maxConnections: 1, onError: () => {} })
    let ending: Promise<void> | undefined
    const disconnect = () => {
      ending ??= database.close()
      return ending
    }
    resources.adopt(database, disconnect)
    const counted: Db = {
      ...database,
      many: (statement) => {
        queries++
        return database.many(statement)
      },
    }
    const tokens = jwtTokens(settings)({ database: counted, clock, cellVault, fetch, log })
    return { ...tokens, callerOf: async (token) => tokens.verify(token), disconnect }
  }

  return {
    app,
    db: platformDatabase,
    cellVault,
    clock,
    queries: () => queries,
    node,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
