import { v2 } from '@google-cloud/functions'
import { type FunctionsApp, zipOf } from '@icosa/functions/testing/app'
import { OAuth2Client } from 'google-auth-library'
import { expect } from 'vitest'

/** The original's client, unmodified, over HTTP. */
export function functionsClient(app: FunctionsApp, key: string): v2.FunctionServiceClient {
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: key })
  return new v2.FunctionServiceClient({
    apiEndpoint: '127.0.0.1',
    port: Number(new URL(app.url).port),
    protocol: 'http',
    fallback: true,
    authClient,
    projectId: 'shop',
  } as never) // its types lack `protocol`, which its own tests use
}

export const parent = 'projects/shop/locations/europe-north1'

export async function uploadWith(client: v2.FunctionServiceClient, files: Readonly<Record<string, string>>) {
  const [{ uploadUrl, storageSource }] = await client.generateUploadUrl({ parent })
  const headers = { 'content-type': 'application/zip' }
  const sent = await fetch(uploadUrl ?? '', { method: 'PUT', headers, body: new Uint8Array(zipOf(files)) })
  expect(sent.status).toBe(200)
  return { storageSource: storageSource ?? null }
}
