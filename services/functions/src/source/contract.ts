import { download, named, stream, Type } from '@icosa/contract'
import { enumeration, Operation } from '@icosa/dialects/google'
import { api, oneFunction, parent } from '../api/contract.ts'
import { environments, StorageSource } from '../functions/contract.ts'

export const maxSourceBytes = 100 * 1024 ** 2

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

export const source = {
  generateUploadUrl: api.post(`${parent}/functions:generateUploadUrl`, {
    specified: '/v2/{parent}/functions:generateUploadUrl',
    summary: 'Get a signed URL to upload the source of a function as a zip.',
    body: Type.Object({
      kmsKeyName: Type.Optional(Type.String({ maxLength: 1024 })),
      environment: Type.Optional(enumeration(...environments)),
    }),
    replies: { 200: named('GenerateUploadUrlResponse', { uploadUrl: Type.String(), storageSource: StorageSource }) },
  }),
  generateDownloadUrl: api.post(`${oneFunction}:generateDownloadUrl`, {
    specified: '/v2/{name}:generateDownloadUrl',
    summary: 'Get a signed URL to download the source of a function, valid for 30 minutes.',
    body: Type.Object({}),
    reads: true,
    replies: { 200: named('GenerateDownloadUrlResponse', { downloadUrl: Type.String() }) },
  }),
  uploadSource: api.put('/source/{upload}', {
    summary: 'Upload the source of a function to its signed URL.',
    query: Type.Object({ expires: Type.String({ maxLength: 20 }), signature: Type.String({ maxLength: 100 }) }),
    params: { upload: Type.String({ pattern: '^[\\w-]{1,60}$' }) },
    body: stream({ types: ['application/zip'], maxBytes: maxSourceBytes }),
    replies: { 200: null },
    open: true,
    extension: true,
  }),
  downloadSource: api.get('/source/{revision}', {
    summary: 'Download the decrypted source of a function from its signed URL.',
    query: Type.Object({
      tenant: Type.String({ maxLength: 200 }),
      expires: Type.String({ maxLength: 20 }),
      signature: Type.String({ maxLength: 100 }),
    }),
    params: { revision: Type.String({ pattern: '^[a-z0-9-]{1,100}$' }) },
    replies: { 200: download({ types: ['application/zip'] }) },
    open: true,
    extension: true,
  }),
  deployFiles: api.post(`${parent}/functions:deployFiles`, {
    summary: 'Deploy a new function from files in the request. A larger source is uploaded as a zip.',
    body: named('DeployFilesRequest', {
      functionId: text(63),
      runtime: text(100),
      entryPoint: text(200),
      files: Type.Array(
        named('SourceFile', {
          path: Type.String({ pattern: '^[\\w@-][\\w.@-]*(/[\\w@-][\\w.@-]*)*$', maxLength: 200 }),
          content: Type.String({ maxLength: 200_000 }),
        }),
        { minItems: 1, maxItems: 50 },
      ),
    }),
    replies: { 200: Operation },
    extension: true,
  }),
}
