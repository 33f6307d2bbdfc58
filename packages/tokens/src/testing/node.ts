import { type Caller, type Db, openDatabase, type Tokens } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { ensureSigningKeys } from '../keys/rotation.ts'
import { type JwtSettings, jwtTokens } from '../verify/verifier.ts'
import type { Issued } from './issue.ts'

export interface TokenApp extends AsyncDisposable, Issued {
  readonly app: TestApp
  /** Number of database queries by nodes opened with `node`. */
  asked(): number
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
  const { database, clock, vault, fetch, log } = app.platform
  await ensureSigningKeys(database, clock, vault)
  const opened = new AsyncDisposableStack()
  opened.use(app)
  let asked = 0

  function node(settings?: JwtSettings): TestTokens {
    const own = openDatabase({ url: app.databaseUrl, maxConnections: 1, onError: () => {} })
    let ending: Promise<void> | undefined
    const disconnect = () => {
      ending ??= own.close()
      return ending
    }
    opened.adopt(own, disconnect)
    const counted: Db = {
      ...own,
      many: (statement) => {
        asked++
        return own.many(statement)
      },
    }
    const tokens = jwtTokens(settings)({ database: counted, clock, vault, fetch, log })
    return { ...tokens, callerOf: async (token) => tokens.verify(token), disconnect }
  }

  return {
    app,
    db: database,
    vault,
    clock,
    asked: () => asked,
    node,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
