import type { Service } from '@icosa/kernel'
import { startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'

export interface SignedPlatform extends AsyncDisposable {
  readonly app: TestApp
  /** What a client of version 3 is made with: the root of the platform, which its signed services share. */
  readonly config: ClientConfig
  /** The same as a tenant's other access key, with fewer permissions. */
  configWith(permissions: readonly string[]): Promise<ClientConfig>
}

export interface ClientConfig {
  readonly endpoint: string
  readonly region: string
  readonly maxAttempts: number
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** Services and workers that run: what an SDK meets in production. */
export async function startSignedPlatform(
  services: readonly Service[],
  options: Partial<TestAppOptions> = {},
): Promise<SignedPlatform> {
  const app = await startTestApp({ services, worker: { concurrency: 16, background: true }, ...options })
  const configWith = async (permissions: readonly string[]) => {
    const { id, secret } = await app.signingSecret('123456789012', permissions)
    const credentials = { accessKeyId: id, secretAccessKey: secret }
    return { endpoint: app.url, region: 'us-east-1', maxAttempts: 1, credentials }
  }
  return {
    app,
    config: await configWith(['*']),
    configWith,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

interface Sent {
  method: string
  headers: Record<string, string>
}

interface Stack {
  add(middleware: unknown, options: { step: 'deserialize'; name: string; priority: 'low' }): void
}

/** Changes what a client of version 3 sends, after it was signed: for answers that an SDK by itself never gets. */
export function tamper(client: { readonly middlewareStack: unknown }, change: (request: Sent) => void): void {
  const middleware = (next: (args: { request: Sent }) => unknown) => (args: { request: Sent }) => {
    change(args.request)
    return next(args)
  }
  ;(client.middlewareStack as Stack).add(middleware, { step: 'deserialize', name: 'tamper', priority: 'low' })
}

/** Asks again until the answer is as it should be. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    if (isRight(answer) || tries > 200) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
