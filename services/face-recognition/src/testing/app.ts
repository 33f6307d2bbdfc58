import { client } from '@icosa/client'
import { keyedOperations } from '@icosa/dialects/keyed'
import { startTestApp, type TestApp } from '@icosa/testing'
import { contracts } from '../contract.ts'
import { defaultSettings, type FaceSettings, faceRecognition } from '../index.ts'
import { keyHeaders, serviceName } from '../names.ts'
import { dialect } from '../shapes/contract.ts'

export const start = (settings: Partial<FaceSettings> = {}) =>
  startTestApp(faceRecognition({ ...defaultSettings, ...settings }))

export const photo = (content: Uint8Array) => ({ mediaType: 'application/octet-stream', content })
export const photoAt = (url: string) => ({
  mediaType: 'application/json',
  content: Buffer.from(JSON.stringify({ url })),
})

/** Clients for a tenant. */
export async function callersOf(app: TestApp, tenant = 'acme', permissions?: readonly string[]) {
  const target = {
    baseUrl: `${app.url}/${serviceName}`,
    headers: { [keyHeaders[0]]: await app.key(tenant, permissions) },
  }
  return {
    face: client(contracts.Face, target),
    comparison: client(contracts.Comparison, target),
    groups: client(contracts.PersonGroup, target),
    persons: client(contracts.PersonGroupPerson, target),
    largeGroups: client(contracts.LargePersonGroup, target),
    largePersons: client(contracts.LargePersonGroupPerson, target),
    lists: client(contracts.FaceList, target),
    listFaces: client(contracts.FaceListFace, target),
    largeLists: client(contracts.LargeFaceList, target),
    largeListFaces: client(contracts.LargeFaceListFace, target),
    snapshots: client(contracts.Snapshot, target),
    operations: client(keyedOperations(dialect), target),
  }
}

export type Callers = Awaited<ReturnType<typeof callersOf>>

/** Detects faces, and returns the id of the largest. */
export async function faceIn({ face }: Callers, content: Uint8Array): Promise<string> {
  const { body } = await face.detect({ body: photo(content) })
  return body[0]?.faceId as string
}
