import type { Service } from '@icosa/kernel'
import type { TestAppOptions } from '@icosa/testing'
import { type Scheme, type SdkApp, startSdkApp } from './tls.ts'

export interface SignedPlatform extends SdkApp {
  /** Configuration of a version 3 client: the root of the platform, which its signed services share. */
  readonly config: ClientConfig
  /** The same over HTTP or TLS. */
  over(scheme: Scheme): ClientConfig
  /** The same with another access key of the tenant, which has only these permissions. */
  configWith(permissions: readonly string[]): Promise<ClientConfig>
}

export interface ClientConfig {
  readonly endpoint: string
  readonly region: string
  readonly maxAttempts: number
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** Starts services and workers, as an SDK meets them in production. */
export async function startSignedPlatform(
  services: readonly Service[],
  options: Partial<TestAppOptions> = {},
): Promise<SignedPlatform> {
  const sdkApp = await startSdkApp(() => services, options)
  const { app, at } = sdkApp
  const configWith = async (permissions: readonly string[]) => {
    const { id, secret } = await app.signingSecret('123456789012', permissions)
    const credentials = { accessKeyId: id, secretAccessKey: secret }
    return { endpoint: at('http'), region: 'us-east-1', maxAttempts: 1, credentials }
  }
  const config = await configWith(['*'])
  return { ...sdkApp, config, configWith, over: (scheme) => ({ ...config, endpoint: at(scheme) }) }
}

interface Sent {
  method: string
  headers: Record<string, string>
}

interface Stack {
  add(middleware: unknown, options: { step: 'deserialize'; name: string; priority: 'low' }): void
}

/** Changes requests of a version 3 client after signing, to provoke responses that it would never get. */
export function tamper(client: { readonly middlewareStack: unknown }, change: (request: Sent) => void): void {
  const middleware = (next: (args: { request: Sent }) => unknown) => (args: { request: Sent }) => {
    change(args.request)
    return next(args)
  }
  ;(client.middlewareStack as Stack).add(middleware, { step: 'deserialize', name: 'tamper', priority: 'low' })
}

/** Polls until the answer is right, for up to a minute. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    if (isRight(answer) || tries > 1_200) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
